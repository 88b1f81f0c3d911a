import { type Problem, problem } from '../../../core/model/problem.ts'
import { runCommand } from '../../../process/start/run-command.ts'

type Variables = Readonly<Record<string, string>>

/** Returns why the agent's program would not work, or null; calls no model. */
export async function checkAgent(program: string, env: Variables): Promise<Problem | null> {
  const [version, signedIn] = await Promise.all([outputOf(program, ['--version'], env), isSignedIn(program, env)])
  if (!/^\d+\.\d+\.\d+/.test(version)) return notRunning(program, version)
  if (isOlder(version, VERSION_MIN)) return tooOld(program, version)
  return signedIn ? null : signedOut()
}

const VERSION_MIN = '2.1.325'
const OUTPUT_MS_MAX = 30_000

/** Variables that replace a sign-in. @internal */
export const KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']

async function outputOf(program: string, args: readonly string[], env: Variables): Promise<string> {
  const ended = await runCommand({ file: program, args, cwd: '/', env, timeoutMs: OUTPUT_MS_MAX })
  return ended.kind === 'ended' ? `${ended.stdout.toString()}${ended.stderr}`.trim() : ended.message
}

/** True when the agent has a key or is signed in, or when its version cannot say. */
async function isSignedIn(program: string, env: Variables): Promise<boolean> {
  // Saves a third of a second: with a key, the program reports a sign-in, too.
  if (KEYS.some((name) => (env[name] ?? '') !== '')) return true
  const status = await outputOf(program, ['auth', 'status', '--json'], env)
  try {
    return (JSON.parse(status) as { readonly loggedIn?: unknown }).loggedIn !== false
  } catch {
    return true // not JSON: the first round will show it
  }
}

function isOlder(version: string, minimum: string): boolean {
  const [ours, theirs] = [minimum, version].map((text) => text.split(/[.\s]/, 3).map(Number))
  const differs = ours?.findIndex((part, index) => part !== theirs?.[index]) ?? -1
  return differs >= 0 && (theirs?.[differs] ?? 0) < (ours?.[differs] ?? 0)
}

function notRunning(program: string, output: string): Problem {
  return problem({
    code: 'agent-missing',
    message: `Claude Code's program ${program} does not run on this machine: ${output.split('\n', 1).join() || 'it printed nothing'}`,
    hint: 'Install it again on this machine: npm install @anthropic-ai/claude-agent-sdk',
    retry: 'person',
  })
}

function tooOld(program: string, version: string): Problem {
  return problem({
    code: 'agent-too-old',
    message: `Claude Code ${version.split(' ', 1).join()} (${program}) is too old; ${VERSION_MIN} or newer is needed.`,
    hint: 'Update it: claude update, or npm install @anthropic-ai/claude-agent-sdk beside Longhaul.',
    retry: 'person',
  })
}

function signedOut(): Problem {
  return problem({
    code: 'agent-signed-out',
    message: 'Claude Code is not signed in.',
    hint: 'Run "claude auth login", or name a key in longhaul.yaml: agent: { env: { ANTHROPIC_API_KEY: $ANTHROPIC_API_KEY } }.',
    retry: 'person',
  })
}
