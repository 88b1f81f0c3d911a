import { SANDBOX_PORTS } from '../../../core/sandbox/ports.ts'
import type { Enclosing } from '../../../ports/sandbox.ts'

type Variables = Readonly<Record<string, string>>

/** The way of an agent in a sandbox to its model, and the variables that lead it there. */
export interface WayToModel extends Pick<Enclosing, 'model' | 'hosts' | 'loopback'> {
  readonly env: Variables
}

/** Finds how an agent reaches its model from inside a sandbox; a key stays outside and is added on the way. */
export function wayToModel(env: Variables): WayToModel {
  const base = env.ANTHROPIC_BASE_URL || VENDOR
  const headers = Object.assign({}, ...KEYS.map(({ name, header }) => (env[name] ? header(env[name]) : {})))
  if (Object.keys(headers).length === 0 || isElsewhere(env) || !URL.canParse(base)) return { env, ...directWay(base) }
  const hidden = KEYS.flatMap(({ name }) => (env[name] ? [[name, STAND_IN] as const] : []))
  return {
    env: { ...env, ...Object.fromEntries(hidden), ANTHROPIC_BASE_URL: `http://127.0.0.1:${SANDBOX_PORTS.model}` },
    model: { url: base, headers },
  }
}

/** True when an agent needs the user's sign-in, because nothing else pays for its model. */
export function needsSignIn(env: Variables): boolean {
  return !isElsewhere(env) && KEYS.every(({ name }) => !env[name])
}

// These sign each request themselves, with keys of their own.
function isElsewhere(env: Variables): boolean {
  return ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX'].some((name) => env[name])
}

const VENDOR = 'https://api.anthropic.com'

// A sign-in is renewed at the second and third one.
const VENDOR_HOSTS = ['api.anthropic.com', 'console.anthropic.com', 'platform.claude.com', 'claude.ai']

const STAND_IN = 'added-outside-of-the-sandbox'

const bearer = (token: string): Variables => ({ authorization: `Bearer ${token}` })
const KEYS: readonly { readonly name: string; readonly header: (key: string) => Variables }[] = [
  { name: 'CLAUDE_CODE_OAUTH_TOKEN', header: bearer },
  { name: 'ANTHROPIC_AUTH_TOKEN', header: bearer },
  { name: 'ANTHROPIC_API_KEY', header: (key) => ({ 'x-api-key': key }) },
]

function directWay(base: string): Pick<WayToModel, 'hosts' | 'loopback'> {
  if (!URL.canParse(base)) return { hosts: VENDOR_HOSTS }
  const { hostname, port, protocol } = new URL(base)
  if (/^(localhost|127\.|\[::1\])/.test(hostname))
    return { loopback: [Number(port) || (protocol === 'https:' ? 443 : 80)] }
  return { hosts: [...VENDOR_HOSTS, hostname] }
}
