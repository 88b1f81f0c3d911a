import { type Problem, problem } from '../../../core/model/problem.ts'
import { runCommand } from '../../../process/run-command.ts'

type Variables = Readonly<Record<string, string>>

/** Why the agent's program would not work, or null; asks no model. */
export async function checkAgent(program: string, env: Variables): Promise<Problem | null> {
  const [version, isIn] = await Promise.all([ask(program, ['--version'], env), isSignedIn(program, env)])
  if (!/^\d+\.\d+\.\d+/.test(version)) return notRunning(program, version)
  if (isOlder(version, VERSION_LEAST)) return tooOld(program, version)
  return isIn ? null : signedOut()
}

const VERSION_LEAST = '2.1.325'
const ASK_MS_MAX = 30_000

/** The variables that take the place of a sign-in. @internal */
export const KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']

async function ask(program: string, args: readonly string[], env: Variables): Promise<string> {
  const told = await runCommand({ file: program, args, cwd: '/', env, timeoutMs: ASK_MS_MAX })
  return told.kind === 'ended' ? `${told.stdout.toString()}${told.stderr}`.trim() : told.message
}

/** Whether the agent has a key or says that it is signed in; a version that does not say is believed to be. */
async function isSignedIn(program: string, env: Variables): Promise<boolean> {
  // With one of these it would say so, too, after a third of a second.
  if (KEYS.some((name) => (env[name] ?? '') !== '')) return true
  const status = await ask(program, ['auth', 'status', '--json'], env)
  try {
    return (JSON.parse(status) as { readonly loggedIn?: unknown }).loggedIn !== false
  } catch {
    return true // not JSON: the first round will tell
  }
}

function isOlder(version: string, least: string): boolean {
  const [ours, theirs] = [least, version].map((text) => text.split(/[.\s]/, 3).map(Number))
  const differs = ours?.findIndex((part, index) => part !== theirs?.[index]) ?? -1
  return differs >= 0 && (theirs?.[differs] ?? 0) < (ours?.[differs] ?? 0)
}

function notRunning(program: string, said: string): Problem {
  return problem({
    code: 'agent-missing',
    message: `Claude Code's program ${program} does not run here: ${said.split('\n', 1).join() || 'it says nothing'}`,
    hint: 'Install @anthropic-ai/claude-agent-sdk again, on this machine.',
    retry: 'person',
  })
}

function tooOld(program: string, version: string): Problem {
  return problem({
    code: 'agent-too-old',
    message: `Claude Code ${version.split(' ', 1).join()} (${program}) is too old; ${VERSION_LEAST} or newer is needed.`,
    hint: 'Update it: claude update, or npm install @anthropic-ai/claude-agent-sdk beside Longhaul.',
    retry: 'person',
  })
}

function signedOut(): Problem {
  return problem({
    code: 'agent-signed-out',
    message: 'Claude Code is not signed in.',
    hint: 'Run "claude auth login" once, or name a key in longhaul.yaml: agent: { env: { ANTHROPIC_API_KEY: $ANTHROPIC_API_KEY } }.',
    retry: 'person',
  })
}
