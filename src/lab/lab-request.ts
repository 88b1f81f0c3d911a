import type { LabAnswer } from './answer.ts'
import type { ModelRequest, ModelUsage } from './dialect.ts'

/** Record of a request and its answer. */
export interface LabRequest {
  readonly at: number
  readonly run: string
  readonly dialect: string
  readonly kind: ModelRequest['kind']
  readonly from: ModelRequest['from']
  readonly model: string
  readonly session: string | null
  readonly task: string | null
  readonly attempt: number | null
  readonly phase: string | null
  /** Number of the session within its task, attempt and phase. */
  readonly sessionNumber: number | null
  /** Number of the prompt within its session. */
  readonly round: number | null
  readonly prompt: string
  readonly tools: readonly string[]
  /** Rule and step that answered, or null. */
  readonly rule: number | null
  readonly step: number | null
  readonly answer: string
  /** Estimated from the size of the request. */
  readonly tokensSent: number
  /** Id of the answer, or null. */
  readonly message: string | null
  readonly usage: ModelUsage | null
}

const PROMPT_LENGTH_MAX = 100_000

/** Makes the record of a request; without an answer, it was a request for a token count. */
export function labRequest(
  at: number,
  run: string,
  dialect: string,
  request: ModelRequest,
  answer: LabAnswer | null,
): LabRequest {
  const { kind, from, model, session, tokens } = request
  const message = answer?.reply.kind === 'message' ? answer.reply.message : null
  const { task = null, attempt = null, phase = null, round = null, prompt = '' } = answer?.conversation ?? {}
  return {
    at,
    run,
    dialect,
    kind,
    from,
    model,
    session,
    task,
    attempt,
    phase,
    sessionNumber: answer?.session ?? null,
    round,
    prompt: prompt.slice(0, PROMPT_LENGTH_MAX),
    tools: request.tools.map(({ name }) => name),
    rule: answer?.rule ?? null,
    step: answer?.step ?? null,
    answer: answer?.summary ?? 'a count of tokens',
    tokensSent: tokens.before + tokens.last,
    message: message?.id ?? null,
    usage: message?.usage ?? null,
  }
}
