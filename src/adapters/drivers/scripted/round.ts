import type { SessionId } from '../../../core/model/ids.ts'
import { isProblem, type Problem } from '../../../core/model/problem.ts'
import type { RoundEnd } from '../../../core/model/round.ts'
import type { AgentEvent, AgentRound } from '../../../ports/agent-driver.ts'
import type { Survivor } from '../../../process/end/end-tree.ts'
import { type Launched, launch, type Program } from '../../../process/start/launch.ts'
import { type AgentTree, agentTree } from '../agent-tree.ts'
import { crashedEnd, notReadyEnd, roundEnd, stoppedEnd, withSurvivors } from '../ends-without-result.ts'
import { type AgentCommand, type AgentLine, type AgentOrder, parseAgentLine } from './protocol.ts'

/** Scripted agent that is ready to start. */
export interface ScriptedToStart {
  readonly session: SessionId
  readonly order: AgentOrder
  readonly program: Program
}

/** Makes a round; the agent starts when its events are first read. */
export function scriptedRound(prepare: () => Promise<ScriptedToStart | Problem>): AgentRound {
  const state: RoundState = { stopReason: null, tree: null, send: null }
  return {
    events: play(prepare, state),
    cancel(reason) {
      state.stopReason ??= reason
      state.tree?.end()
    },
    // Before the agent has started, its context cannot be full.
    handOver: (when) => state.send?.({ type: 'hand-over', when }),
    say(text) {
      state.send?.({ type: 'say', text })
      return state.send !== null
    },
  }
}

interface RoundState {
  stopReason: 'cancelled' | 'timeout' | null
  tree: AgentTree | null
  /** Sends a command to the running agent. */
  send: ((command: AgentCommand) => void) | null
}

async function* play(
  prepare: () => Promise<ScriptedToStart | Problem>,
  state: RoundState,
): AsyncGenerator<AgentEvent, void> {
  const agent = await prepare()
  if (state.stopReason !== null) return yield { kind: 'ended', end: stoppedEnd(state.stopReason) }
  if (isProblem(agent)) return yield { kind: 'ended', end: notReadyEnd(agent) }
  const launched = launch(agent.program)
  if (launched.kind === 'not-started') return yield { kind: 'ended', end: roundEnd('crashed', launched.message) }
  const tree = agentTree(launched)
  state.tree = tree
  try {
    const send = (message: unknown): void => void launched.stdin?.write(`${JSON.stringify(message)}\n`)
    send(agent.order)
    state.send = send
    const result = yield* follow(launched, agent, tree, () => {
      state.send = null
    })
    const survivors = await tree.survivors
    yield {
      kind: 'ended',
      end: withSurvivors(result ?? (await endWithoutResult(launched, state, survivors)), survivors),
    }
  } finally {
    // A reader that stops early has no use for the agent.
    tree.end()
    await tree.survivors
  }
}

async function* follow(
  launched: Launched,
  agent: ScriptedToStart,
  tree: AgentTree,
  onResult: () => void,
): AsyncGenerator<AgentEvent, RoundEnd | null> {
  let result: RoundEnd | null = null
  for await (const line of launched.lines) {
    if (line.kind === 'too-long') {
      yield { kind: 'raw', line: `[a line of ${line.bytes} bytes was omitted]` }
      continue
    }
    yield { kind: 'raw', line: line.text }
    const parsed = parseAgentLine(line.text)
    if (parsed?.type === 'result') {
      onResult()
      if (parsed.answer !== null) yield { kind: 'answer', text: parsed.answer, report: null }
      result ??= endOf(parsed)
      tree.endSoon()
    } else if (parsed !== null) yield* eventsOf(parsed, agent)
  }
  // The agent has closed its output.
  onResult()
  tree.endSoon()
  return result
}

function endOf({ kind, detail, claim, resetAt, note }: Extract<AgentLine, { type: 'result' }>): RoundEnd {
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

async function endWithoutResult(
  launched: Launched,
  state: RoundState,
  survivors: readonly Survivor[],
): Promise<RoundEnd> {
  if (state.stopReason !== null) return stoppedEnd(state.stopReason)
  // With survivors, the agent itself may never exit.
  const exit = survivors.length > 0 ? null : await launched.ended
  return crashedEnd(exit, launched.stderrTail())
}
