import type { RoundOrder } from '../../core/model/effect.ts'

type Variables = Readonly<Record<string, string>>

/** The whole environment of an agent: what everything gets, what this agent needs, and what the settings name. */
export function agentEnvironment(
  given: Variables,
  settings: Variables,
  order: Pick<RoundOrder, 'agent' | 'context'> & Partial<RoundOrder>,
  isRoot: boolean,
): Record<string, string> {
  const { access, subagents } = order.agent
  return {
    ...given,
    ...QUIET,
    CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS: String(Math.max(1, subagents)),
    ...(order.context.policy === 'hand-off' ? { DISABLE_AUTO_COMPACT: '1' } : {}),
    // Without it the agent refuses to bypass permissions as root.
    ...(isRoot && access === 'full' ? { IS_SANDBOX: '1' } : {}),
    ...settings,
    ...ownVariables(order),
  }
}

const QUIET: Variables = {
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  // A round is over when its result is there: nothing may go on behind it.
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  // Its calls could be counted only in sums.
  CLAUDE_CODE_MAX_SUBAGENT_SPAWN_DEPTH: '1',
  // What the agent remembers between tasks is the user's; the hand-off and the ledger are ours.
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
  CLAUDE_AGENT_SDK_CLIENT_APP: 'longhaul',
}

function ownVariables({ task, attempt, phase, round }: Partial<RoundOrder>): Variables {
  if (task === undefined || attempt === undefined || phase === undefined || round === undefined) return {}
  return { LONGHAUL_TASK: task.id, LONGHAUL_ATTEMPT: attempt, LONGHAUL_PHASE: phase, LONGHAUL_ROUND: String(round) }
}
