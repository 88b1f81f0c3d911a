import type { SessionId } from '../../../core/model/ids.ts'
import { isProblem, type Problem } from '../../../core/model/problem.ts'
import type { RoundEnd } from '../../../core/model/round.ts'
import type { AgentEvent, AgentRound } from '../../../ports/agent-driver.ts'
import type { Survivor } from '../../../process/end-tree.ts'
import { type Launched, launch, type Program } from '../../../process/launch.ts'
import { type AgentTree, agentTree } from '../agent-tree.ts'
import { crashed, ended, stopped, unfit, withSurvivors } from '../ends-without-result.ts'
import { type AgentLine, type AgentOrder, type AgentWord, parseAgentLine } from './protocol.ts'

/** An agent that is ready to be started. */
export interface ScriptedToStart {
  readonly session: SessionId
  readonly order: AgentOrder
  readonly program: Program
}

/** One round: the agent starts when its events are first asked for. */
export function agentRound(prepare: () => Promise<ScriptedToStart | Problem>): AgentRound {
  const stop: Stop = { why: null, tree: null, tell: null }
  return {
    events: play(prepare, stop),
    cancel(reason) {
      stop.why ??= reason
      stop.tree?.end()
    },
    // Before it has an agent, a session is not full of anything.
    handOver: (when) => stop.tell?.({ type: 'hand-over', when }),
    say(text) {
      stop.tell?.({ type: 'say', text })
      return stop.tell !== null
    },
  }
}

/** Why the round is to stop, and what has to be ended for it. */
interface Stop {
  why: 'cancelled' | 'timeout' | null
  tree: AgentTree | null
  /** Tells the agent something while it works. */
  tell: ((word: AgentWord) => void) | null
}

async function* play(prepare: () => Promise<ScriptedToStart | Problem>, stop: Stop): AsyncGenerator<AgentEvent, void> {
  const agent = await prepare()
  if (stop.why !== null) return yield { kind: 'ended', end: stopped(stop.why) }
  if (isProblem(agent)) return yield { kind: 'ended', end: unfit(agent) }
  const launched = launch(agent.program)
  if (launched.kind === 'not-started') return yield { kind: 'ended', end: ended('crashed', launched.message) }
  const tree = agentTree(launched)
  stop.tree = tree
  try {
    const tell = (words: unknown): void => void launched.stdin?.write(`${JSON.stringify(words)}\n`)
    tell(agent.order)
    stop.tell = tell
    const result = yield* follow(launched, agent, tree, () => {
      stop.tell = null
    })
    const survivors = await tree.gone
    yield {
      kind: 'ended',
      end: withSurvivors(result ?? (await endWithoutResult(launched, stop, survivors)), survivors),
    }
  } finally {
    // Whoever stops listening has no use for the agent either.
    tree.end()
    await tree.gone
  }
}

async function* follow(
  launched: Launched,
  agent: ScriptedToStart,
  tree: AgentTree,
  over: () => void,
): AsyncGenerator<AgentEvent, RoundEnd | null> {
  let result: RoundEnd | null = null
  for await (const line of launched.lines) {
    if (line.kind === 'too-long') {
      yield { kind: 'raw', line: `[a line of ${line.bytes} bytes was left out]` }
      continue
    }
    yield { kind: 'raw', line: line.text }
    const told = parseAgentLine(line.text)
    if (told?.type === 'result') {
      over()
      if (told.answer !== null) yield { kind: 'answer', text: told.answer, report: null }
      result ??= endedBy(told)
      tree.endSoon()
    } else if (told !== null) yield* eventsOf(told, agent)
  }
  // Without its output the agent can tell no more.
  over()
  tree.endSoon()
  return result
}

/** The end that the agent's own result tells. */
function endedBy({ kind, detail, claim, resetAt, note }: Extract<AgentLine, { type: 'result' }>): RoundEnd {
  return { kind, detail, claim, resetAt, note }
}

function* eventsOf(line: AgentLine, { session, order: { model } }: ScriptedToStart): Generator<AgentEvent> {
  switch (line.type) {
    case 'init':
      yield { kind: 'session-opened', session, model: line.model, cli: null }
      return
    case 'usage':
      yield {
        kind: 'usage',
        usage: {
          session,
          message: line.message,
          model,
          scope: 'main',
          tokens: line.tokens,
          hourCacheWrite: 0,
          window: line.window,
        },
      }
      return
    case 'say':
      yield { kind: 'activity', activity: { kind: 'streaming' } }
      return
    case 'tool':
      yield { kind: 'activity', activity: { kind: 'tool', name: line.name } }
      return
    case 'tool-ended':
    case 'waiting':
      yield { kind: 'activity', activity: { kind: 'waiting' } }
      return
    default:
  }
}

async function endWithoutResult(launched: Launched, stop: Stop, survivors: readonly Survivor[]): Promise<RoundEnd> {
  if (stop.why !== null) return stopped(stop.why)
  // With survivors, the agent itself may be the one that never ends.
  const exit = survivors.length > 0 ? null : await launched.ended
  return crashed(exit, launched.stderrTail())
}
