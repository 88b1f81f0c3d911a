import { readHost } from './host-name.ts'

/** Hosts and ports that may be reached. */
export interface HostRule {
  readonly kind: 'exact' | 'below'
  /** Host itself, or the name that all hosts of the rule are below. */
  readonly name: string
  readonly ports: readonly number[]
}

/** Rule that a text of the settings stands for, or what the text must be instead. */
export type HostRuleRead =
  | { readonly kind: 'rule'; readonly rule: HostRule }
  | { readonly kind: 'fault'; readonly mustBe: string }

/** Reads an entry such as `example.org`, `*.example.org` or `example.org:8443`. */
export function readHostRule(text: string): HostRuleRead {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return fault('a host without a scheme, such as example.org')
  if (/[/\\?#@]/.test(text)) return fault('a host alone, without a path or user, such as example.org')
  const [, pattern = '', portText] = /^(.*?)(?::(\d+))?$/s.exec(text) ?? []
  const ports = portText === undefined ? USUAL_PORTS : [Number(portText)]
  const isPortWord = portText === undefined && text.split(':').length === 2
  if (isPortWord || ports.some((port) => port < 1 || port > PORT_MAX))
    return fault(`a host with a port from 1 to ${PORT_MAX}`)
  const isWildcard = pattern.startsWith('*.')
  const host = readHost(isWildcard ? pattern.slice(2) : pattern)
  if (pattern === '*') return fault('a host, such as example.org (any public host: set sandbox.web to on)')
  if (host.kind === 'address') return fault('the name of a host, not an address')
  if (host.kind === 'invalid') return fault('the name of a host, such as example.org or *.example.org')
  const { name } = host
  if (name === 'localhost' || name.endsWith('.localhost')) {
    return fault('a host other than this machine (ports of this machine: name them in sandbox.loopback)')
  }
  if (isWildcard && isTooWide(name)) {
    return fault(`a narrower wildcard: anyone can own a name below ${name} (name the hosts, or *.something.${name})`)
  }
  return { kind: 'rule', rule: { kind: isWildcard ? 'below' : 'exact', name, ports } }
}

/** True when a rule allows a host, given in its normal form, on a port. */
export function isHostAllowed(rules: readonly HostRule[], host: string, port: number): boolean {
  return rules.some(
    ({ kind, name, ports }) => ports.includes(port) && (kind === 'exact' ? host === name : host.endsWith(`.${name}`)),
  )
}

/** Returns the rule for one host on the usual ports, or on the given one. */
export function exactRule(name: string, port?: number): HostRule {
  return { kind: 'exact', name, ports: port === undefined ? USUAL_PORTS : [port] }
}

/** Ports of HTTPS and HTTP, which a rule allows unless it names another one. */
export const USUAL_PORTS: readonly number[] = [443, 80]
const PORT_MAX = 65_535

function fault(mustBe: string): HostRuleRead {
  return { kind: 'fault', mustBe }
}

function isTooWide(name: string): boolean {
  const labels = name.split('.')
  if (labels.length < 2) return true
  const [second = '', top = ''] = labels.slice(-2)
  const isCountrySuffix = labels.length === 2 && top.length === 2 && COUNTRY_SECOND_LEVELS.has(second)
  return isCountrySuffix || OPEN_SUFFIXES.has(name) || isRegionalBucket(name)
}

/** Matches `s3.eu-west-1.amazonaws.com` and its like. */
function isRegionalBucket(name: string): boolean {
  return /^(?:[\w-]+\.)?[\w-]+\.amazonaws\.com(?:\.cn)?$/.test(name)
}

const COUNTRY_SECOND_LEVELS: ReadonlySet<string> = new Set(
  'ac asn biz co com edu ed firm gen go gob gouv gov govt gv id ind info ltd me mil ne net nhs nic nom or org plc sch web'.split(
    ' ',
  ),
)

/** Names of hosting services below which anyone can get a name. */
const OPEN_SUFFIXES: ReadonlySet<string> = new Set(
  `amazonaws.com appspot.com azurecontainerapps.io azureedge.net azurefd.net azurewebsites.net blob.core.windows.net
  blogspot.com cloudapp.net cloudfront.net core.windows.net ddns.net deno.dev duckdns.org elasticbeanstalk.com
  firebaseapp.com fly.dev github.io gitlab.io glitch.me googleapis.com googleusercontent.com herokuapp.com hf.space
  loca.lt localhost.run myshopify.com netlify.app ngrok-free.app ngrok-free.dev ngrok.app ngrok.dev ngrok.io nip.io
  no-ip.org onrender.com pages.dev pythonanywhere.com r2.cloudflarestorage.com r2.dev railway.app readthedocs.io
  repl.co replit.app replit.dev run.app serveo.net sslip.io storage.googleapis.com supabase.co surge.sh
  translate.goog trycloudflare.com up.railway.app vercel.app web.app windows.net wordpress.com workers.dev xip.io`.split(
    /\s+/,
  ),
)
