import type { AgentSettings, ContextSettings } from '../../../core/model/settings.ts'

type Variables = Readonly<Record<string, string>>

/** Builds the environment of an agent: common variables, those that configure Claude Code, those of the settings. */
export function agentEnvironment(
  { agent, policy, isRoot }: Needs,
  common: Variables,
  settings: Variables,
): Record<string, string> {
  return {
    ...common,
    ...ALWAYS,
    CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS: String(Math.max(1, agent.subagents)),
    ...(policy === 'hand-off' ? { DISABLE_AUTO_COMPACT: '1' } : {}),
    // Claude Code refuses to bypass permissions as root without this.
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
  // A round ends with its result: nothing may continue in the background.
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  // Calls of nested subagents would be reported only as sums.
  CLAUDE_CODE_MAX_SUBAGENT_SPAWN_DEPTH: '1',
  // Claude Code's memory belongs to the user; sessions of a task use hand-off notes instead.
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
  CLAUDE_AGENT_SDK_CLIENT_APP: 'longhaul',
}
