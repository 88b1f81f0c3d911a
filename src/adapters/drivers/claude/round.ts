import { isProblem, type Problem } from '../../../core/model/problem.ts'
import type { AgentEvent, AgentRound } from '../../../ports/agent-driver.ts'
import { notReadyEnd, roundEnd, stoppedEnd } from '../ends-without-result.ts'
import { AgentProcess, type ClaudeToStart } from './agent-process.ts'
import type { SessionOpening } from './query-options.ts'

/** Makes a round; the agent starts when its events are first read. */
export function claudeRound(prepare: () => Promise<ClaudeToStart | Problem>): AgentRound {
  const state: RoundState = { stopReason: null, agentProcess: null }
  return {
    events: play(prepare, state),
    cancel(reason) {
      state.stopReason ??= reason
      state.agentProcess?.cancel(state.stopReason)
    },
    // Before the agent has started, its context cannot be full.
    handOver: (when) => state.agentProcess?.handOver(when),
    say: (text) => state.agentProcess?.say(text) ?? false,
  }
}

interface RoundState {
  stopReason: 'cancelled' | 'timeout' | null
  agentProcess: AgentProcess | null
}

async function* play(
  prepare: () => Promise<ClaudeToStart | Problem>,
  state: RoundState,
): AsyncGenerator<AgentEvent, void> {
  const agent = await prepare()
  if (isProblem(agent)) {
    const end = state.stopReason === null ? notReadyEnd(agent) : stoppedEnd(state.stopReason)
    return yield { kind: 'ended', end }
  }
  try {
    yield* open(agent, state)
  } finally {
    agent.signOut()
  }
}

async function* open(agent: ClaudeToStart, state: RoundState): AsyncGenerator<AgentEvent, void> {
  if (state.stopReason !== null) return yield { kind: 'ended', end: stoppedEnd(state.stopReason) }
  for await (const opening of waysToOpen(agent)) {
    const agentProcess: AgentProcess = new AgentProcess(agent, opening)
    state.agentProcess = agentProcess
    yield* agentProcess.events()
    if (agentProcess.end !== null) return yield { kind: 'ended', end: agentProcess.end }
  }
  yield { kind: 'ended', end: roundEnd('context-exhausted', 'The session can be neither resumed nor created again.') }
}

// After a crash it is uncertain whether the agent has the session: what it refuses is tried once the other way.
async function* waysToOpen({ order, removeEmptySession }: ClaudeToStart): AsyncGenerator<SessionOpening, void> {
  yield order.sessionKnown ? 'resume' : 'create'
  yield order.sessionKnown ? 'create' : 'resume'
  if (await removeEmptySession()) yield 'create'
}
