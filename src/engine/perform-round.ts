import type { AgentReport } from '../core/model/agent-report.ts'
import type { RoundOrder } from '../core/model/effect.ts'
import type { AttemptInput } from '../core/model/input.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import type { RoundEnd } from '../core/model/round.ts'
import type { ToolAnswer, ToolCall, ToolName } from '../core/model/tool-call.ts'
import { formOfRole } from '../core/phases/answer-form.ts'
import { insertTexts } from '../core/prompts/text-placeholder.ts'
import { withFormRule, withToolsRule } from '../core/prompts/tools-rule.ts'
import { toolsOf } from '../core/tools/tools-of.ts'
import type { AgentDriver, AgentEvent, AgentRound, RoundSpec } from '../ports/agent-driver.ts'
import type { Admission } from '../ports/agent-tools.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import { textsOf } from './blob.ts'
import type { GoingRound } from './going-round.ts'
import { RoundWatch } from './round-watch.ts'

/** How a round under way speaks with the rest of the engine. */
export interface RoundVoices {
  readonly going: GoingRound
  /** Whether it is proven that nothing works in the workspace, and nothing was started there since. */
  readonly workspace: { isEmpty: boolean }
  /** Takes what is observed on the way. */
  say(input: AttemptInput): void
  /** Takes a round's calls of our tools, and says what its agent is told. */
  hear(round: number, call: ToolCall): Promise<ToolAnswer>
}

/** How a round ended, and the agent's last words with what it reports in its form; null: there were none. */
export interface RoundOver {
  readonly end: RoundEnd
  readonly answer: { readonly words: string; readonly report: AgentReport | null } | null
}

/** Runs one round from its hooks to its end. */
export async function performRound(
  ports: EnginePorts,
  given: RoundOrder,
  voices: RoundVoices,
  signal: AbortSignal,
): Promise<RoundOver | Problem> {
  const driver = ports.driver(given.agent.driver)
  if (driver === null) return unbegun(ended('config', `there is no driver "${given.agent.driver}"`))
  const form = driver.capabilities.forms ? formOfRole(given.role) : null
  const callable = driver.capabilities.tools ? toolsOf(given.role, form) : []
  const tools = callable.length > 0 ? await admit(ports, given, callable, voices) : null
  try {
    const told = insertTexts(given.opening, await textsOf(ports.store, given.texts))
    const withTools = tools === null ? told : withToolsRule(told, callable)
    const order = { ...given, opening: form === null ? withTools : withFormRule(withTools) }
    const spec = { order, folder: ports.workspaces.folder(order.attempt), tools, form }
    return await play(ports, driver, spec, voices, signal)
  } finally {
    tools?.revoke()
  }
}

/** Lets the round's agent use our tools; where that fails, it has to do without. */
async function admit(
  { agentTools }: EnginePorts,
  { attempt, round }: RoundOrder,
  tools: readonly ToolName[],
  voices: RoundVoices,
): Promise<Admission | null> {
  const admission = await agentTools.admit({ attempt, round, tools, hear: (call) => voices.hear(round, call) })
  if (!isProblem(admission)) return admission
  voices.say({ kind: 'notice', text: `its agent works without our tools: ${admission.message}` })
  return null
}

async function play(
  ports: EnginePorts,
  driver: AgentDriver,
  spec: RoundSpec,
  { going, say }: RoundVoices,
  signal: AbortSignal,
): Promise<RoundOver | Problem> {
  const { order } = spec
  const before = await hook(ports, order, 'beforeRun', signal)
  if (before !== null) return isProblem(before) ? before : unbegun(before)
  if (signal.aborted) return unbegun(ended('cancelled', 'called off before it started'))
  const { attempt, round } = order
  const started = driver.start(spec)
  going.begun(started)
  const text = order.sessionKnown ? order.prompt : order.opening
  // While the agent starts.
  const written = afterThis(() => ports.transcripts.write(attempt, round, { kind: 'prompt', text }))
  const over = await listen(ports, order, started, say, signal)
  going.over()
  written()
  ports.transcripts.close(attempt)
  const failed = await hook(ports, order, 'afterRun', signal)
  if (failed !== null) say({ kind: 'notice', text: isProblem(failed) ? failed.message : failed.detail })
  return over
}

/** Does something when what goes on now has been done; what is given back does it at once, unless it is done. */
function afterThis(act: () => void): () => void {
  let isDone = false
  const once = () => {
    if (!isDone) act()
    isDone = true
  }
  setImmediate(once)
  return once
}

function unbegun(end: RoundEnd): RoundOver {
  return { end, answer: null }
}

/** A fatal hook ends the round before it begins; others are only tried. */
async function hook(
  ports: EnginePorts,
  order: RoundOrder,
  name: 'beforeRun' | 'afterRun',
  signal: AbortSignal,
): Promise<RoundEnd | Problem | null> {
  const command = order.hooks[name]
  if (command === null) return null
  const failed = await ports.workspaces.hook(order.attempt, name, command, order.hookMs, signal)
  if (failed === null || isProblem(failed)) return failed
  return ended('config', `the hook "${command}" failed (exit code ${failed.exitCode}): ${failed.output.trim()}`)
}

async function listen(
  ports: EnginePorts,
  order: RoundOrder,
  going: AgentRound,
  say: (input: AttemptInput) => void,
  signal: AbortSignal,
): Promise<RoundOver> {
  const cancel = () => going.cancel('cancelled')
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel)
  const watch = new RoundWatch({ ports, order, say, stop: () => going.cancel('timeout') })
  let end: RoundEnd | null = null
  let answer: RoundOver['answer'] = null
  for await (const event of going.events) {
    watch.heard(event)
    if (event.kind === 'ended') end = event.end
    else if (event.kind === 'answer') answer = { words: event.text, report: event.report }
    else observe(ports, order, event, say)
  }
  watch.over()
  signal.removeEventListener('abort', cancel)
  return { end: watch.instead() ?? end ?? ended('unknown', 'the driver gave no end'), answer }
}

function observe(
  ports: EnginePorts,
  order: RoundOrder,
  event: Exclude<AgentEvent, { kind: 'ended' | 'answer' }>,
  say: (input: AttemptInput) => void,
): void {
  switch (event.kind) {
    case 'raw':
      ports.transcripts.write(order.attempt, order.round, { kind: 'line', text: event.line })
      return
    case 'session-opened':
      say({ ...event, driver: order.agent.driver })
      return
    case 'usage':
      say({ kind: 'usage', usage: event.usage })
      return
    case 'denied':
    case 'compacted':
    case 'cost':
      say(event)
      return
    case 'activity':
      return
  }
}

function ended(kind: RoundEnd['kind'], detail: string): RoundEnd {
  return { kind, detail, claim: null, resetAt: null, note: null }
}
