import { isProblem, type Problem } from '../../../core/model/problem.ts'
import type { AgentEvent, AgentRound } from '../../../ports/agent-driver.ts'
import { ended, stopped, unfit } from '../ends-without-result.ts'
import { AgentProcess, type ClaudeToStart } from './agent-process.ts'
import type { Opening } from './query-options.ts'

/** One round: the agent starts when its events are first asked for. */
export function claudeRound(prepare: () => Promise<ClaudeToStart | Problem>): AgentRound {
  const going: Going = { why: null, talk: null }
  return {
    events: play(prepare, going),
    cancel(reason) {
      going.why ??= reason
      going.talk?.cancel(going.why)
    },
    // Before it has an agent, a session is not full of anything.
    handOver: (when) => going.talk?.handOver(when),
    say: (text) => going.talk?.say(text) ?? false,
  }
}

/** Why the round is to stop, and with whom it is going on. */
interface Going {
  why: 'cancelled' | 'timeout' | null
  talk: AgentProcess | null
}

async function* play(prepare: () => Promise<ClaudeToStart | Problem>, going: Going): AsyncGenerator<AgentEvent, void> {
  const agent = await prepare()
  if (going.why !== null) return yield { kind: 'ended', end: stopped(going.why) }
  if (isProblem(agent)) return yield { kind: 'ended', end: unfit(agent) }
  for await (const opening of waysToOpen(agent)) {
    const talk: AgentProcess = new AgentProcess(agent, opening)
    going.talk = talk
    yield* talk.events()
    if (talk.end !== null) return yield { kind: 'ended', end: talk.end }
  }
  yield { kind: 'ended', end: ended('context-exhausted', 'The session can be neither continued nor made again.') }
}

/** Whether the agent has the session is not certain after a crash: what it refuses is tried the other way, once. */
async function* waysToOpen({ order, forgetUnbegun }: ClaudeToStart): AsyncGenerator<Opening, void> {
  yield order.sessionKnown ? 'resume' : 'create'
  yield order.sessionKnown ? 'create' : 'resume'
  if (await forgetUnbegun()) yield 'create'
}
