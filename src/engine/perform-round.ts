import type { AgentReport } from '../core/model/agent-report.ts'
import type { RoundOrder } from '../core/model/effect.ts'
import type { AttemptInput } from '../core/model/input.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import type { RoundEnd } from '../core/model/round.ts'
import type { ToolName } from '../core/model/tool-call.ts'
import { formOfRole } from '../core/phases/roles.ts'
import { insertTexts } from '../core/prompts/text-placeholder.ts'
import { withFormInstructions, withToolInstructions } from '../core/prompts/tool-instructions.ts'
import { toolsOf } from '../core/tools/tools-of.ts'
import type { AgentDriver, AgentEvent, AgentRound, RoundSpec } from '../ports/agent-driver.ts'
import type { GrantedAccess } from '../ports/agent-tools.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import { answerToolCall } from './answer-tool-call.ts'
import { readBlobs } from './effect-result.ts'
import type { OpenAttempt } from './open-attempt.ts'
import { RoundWatch } from './round-watch.ts'

export interface RoundResult {
  readonly end: RoundEnd
  /** Last answer of the agent, in words and in its form, or null when it gave none. */
  readonly answer: { readonly words: string; readonly report: AgentReport | null } | null
}

/** Runs one round of an agent, from its tools and hooks to its end. */
export async function performRound(
  ports: EnginePorts,
  order: RoundOrder,
  attempt: OpenAttempt,
  signal: AbortSignal,
): Promise<RoundResult | Problem> {
  const driver = ports.driver(order.agent.driver)
  if (driver === null) return notStarted(roundEnd('config', `there is no driver "${order.agent.driver}"`))
  const form = driver.capabilities.forms ? formOfRole(order.role) : null
  const toolNames = driver.capabilities.tools ? toolsOf(order.role, form) : []
  const tools = toolNames.length > 0 ? await grantTools(ports, order, toolNames, attempt) : null
  try {
    const prompt = insertTexts(order.opening, await readBlobs(ports.store, order.texts))
    const toolsPrompt = tools === null ? prompt : withToolInstructions(prompt, toolNames)
    const opening = form === null ? toolsPrompt : withFormInstructions(toolsPrompt)
    const spec: RoundSpec = {
      order: { ...order, opening },
      folder: ports.workspaces.folder(order.attempt),
      tools,
      form,
      onHostRefused: ({ host, why }) => void attempt.post({ kind: 'host-refused', round: order.round, host, why }),
    }
    return await runWithHooks(ports, driver, spec, attempt, signal)
  } finally {
    tools?.revoke()
  }
}

/** Grants the agent access to its tools; without access it works without them. */
async function grantTools(
  { agentTools }: EnginePorts,
  { attempt: id, round }: RoundOrder,
  tools: readonly ToolName[],
  attempt: OpenAttempt,
): Promise<GrantedAccess | null> {
  const answer = (call: Parameters<typeof answerToolCall>[2]) => answerToolCall(attempt, round, call)
  const access = await agentTools.grantAccess({ attempt: id, round, tools, answer })
  if (!isProblem(access)) return access
  void attempt.post({ kind: 'notice', text: `the agent works without Longhaul's tools: ${access.message}` })
  return null
}

async function runWithHooks(
  ports: EnginePorts,
  driver: AgentDriver,
  spec: RoundSpec,
  attempt: OpenAttempt,
  signal: AbortSignal,
): Promise<RoundResult | Problem> {
  const { order } = spec
  const before = await runHook(ports, order, 'beforeRun', signal)
  if (before !== null) return isProblem(before) ? before : notStarted(before)
  if (signal.aborted) return notStarted(roundEnd('cancelled', 'cancelled before it started'))
  const round = driver.start(spec)
  attempt.round.started(round)
  const text = order.sessionKnown ? order.prompt : order.opening
  ports.transcripts.write(order.attempt, order.round, { kind: 'prompt', text })
  const result = await followRound(ports, order, round, attempt, signal)
  attempt.round.ended()
  ports.transcripts.close(order.attempt)
  const after = await runHook(ports, order, 'afterRun', signal)
  if (after !== null) void attempt.post({ kind: 'notice', text: isProblem(after) ? after.message : after.detail })
  return result
}

/** Runs a hook of the user; its failure ends the round before it starts, and is only noted afterwards. */
async function runHook(
  { workspaces }: EnginePorts,
  order: RoundOrder,
  name: 'beforeRun' | 'afterRun',
  signal: AbortSignal,
): Promise<RoundEnd | Problem | null> {
  const command = order.hooks[name]
  if (command === null) return null
  const failed = await workspaces.hook(order.attempt, name, command, order.hookMs, signal)
  if (failed === null || isProblem(failed)) return failed
  return roundEnd('config', `the hook "${command}" failed (exit code ${failed.exitCode}): ${failed.output.trim()}`)
}

/** Records what the agent does until its round has ended. */
async function followRound(
  ports: EnginePorts,
  order: RoundOrder,
  round: AgentRound,
  attempt: OpenAttempt,
  signal: AbortSignal,
): Promise<RoundResult> {
  const post = (input: AttemptInput) => void attempt.post(input)
  const cancel = () => round.cancel('cancelled')
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel)
  const watch = new RoundWatch({ ports, order, post, onTimeout: () => round.cancel('timeout') })
  let end: RoundEnd | null = null
  let answer: RoundResult['answer'] = null
  for await (const event of round.events) {
    watch.onEvent(event)
    if (event.kind === 'ended') end = event.end
    else if (event.kind === 'answer') answer = { words: event.text, report: event.report }
    else recordEvent(ports, order, event, post)
  }
  watch.stop()
  signal.removeEventListener('abort', cancel)
  return { end: watch.endOverride() ?? end ?? roundEnd('unknown', 'the driver reported no end'), answer }
}

function recordEvent(
  { transcripts }: EnginePorts,
  order: RoundOrder,
  event: Exclude<AgentEvent, { kind: 'ended' | 'answer' }>,
  post: (input: AttemptInput) => void,
): void {
  switch (event.kind) {
    case 'raw':
      transcripts.write(order.attempt, order.round, { kind: 'line', text: event.line })
      return
    case 'session-opened':
      post({ ...event, driver: order.agent.driver })
      return
    case 'usage':
    case 'denied':
    case 'compacted':
    case 'cost':
      post(event)
      return
    case 'activity':
      return
  }
}

function notStarted(end: RoundEnd): RoundResult {
  return { end, answer: null }
}

function roundEnd(kind: RoundEnd['kind'], detail: string): RoundEnd {
  return { kind, detail, claim: null, resetAt: null, note: null }
}
