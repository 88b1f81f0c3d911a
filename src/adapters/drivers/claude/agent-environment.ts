import type { AgentSettings, ContextSettings } from '../../../core/model/settings.ts'

type Variables = Readonly<Record<string, string>>

/** The environment of an agent: what everything gets, what Claude Code needs to work for us, what the settings name. */
export function agentEnvironment(
  { agent, policy, isRoot }: Needs,
  given: Variables,
  settings: Variables,
): Record<string, string> {
  return {
    ...given,
    ...ALWAYS,
    CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS: String(Math.max(1, agent.subagents)),
    ...(policy === 'hand-off' ? { DISABLE_AUTO_COMPACT: '1' } : {}),
    // Without it the agent refuses to bypass permissions as root.
    ...(isRoot && agent.access === 'full' ? { IS_SANDBOX: '1' } : {}),
    ...settings,
  }
}

interface Needs {
  readonly agent: Pick<AgentSettings, 'access' | 'subagents'>
  readonly policy: ContextSettings['policy']
  readonly isRoot: boolean
}

const ALWAYS: Variables = {
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  // A round is over when its result is there: nothing may go on behind it.
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  // Calls of agents further down could be counted only in sums.
  CLAUDE_CODE_MAX_SUBAGENT_SPAWN_DEPTH: '1',
  // What the agent remembers between tasks is the user's; the hand-off and the ledger are ours.
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
  CLAUDE_AGENT_SDK_CLIENT_APP: 'longhaul',
}
