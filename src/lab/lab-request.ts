import type { LabAnswer } from './answer.ts'
import type { Ask, ModelUsage } from './dialect.ts'

/** One request and what was answered. */
export interface LabRequest {
  readonly at: number
  readonly run: string
  readonly dialect: string
  readonly kind: Ask['kind']
  readonly from: Ask['from']
  readonly model: string
  readonly session: string | null
  readonly task: string | null
  readonly attempt: number | null
  readonly phase: string | null
  /** The session's number within its task, attempt and phase, and the prompt's within its session. */
  readonly sessionNumber: number | null
  readonly round: number | null
  readonly prompt: string
  readonly tools: readonly string[]
  /** Which rule and which of its steps answered; null: none. */
  readonly rule: number | null
  readonly step: number | null
  readonly answer: string
  /** Estimated from the request's size. */
  readonly tokensSent: number
  /** The answer's id; null: there was none. */
  readonly message: string | null
  readonly usage: ModelUsage | null
}

const PROMPT_LENGTH_MAX = 100_000

/** What is kept of a request; no answer: only a count was asked for. */
export function labRequest(at: number, run: string, dialect: string, ask: Ask, answer: LabAnswer | null): LabRequest {
  const { kind, from, model, session, tokens } = ask
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
    tools: ask.tools.map(({ name }) => name),
    rule: answer?.rule ?? null,
    step: answer?.step ?? null,
    answer: answer?.told ?? 'a count of tokens',
    tokensSent: tokens.before + tokens.last,
    message: message?.id ?? null,
    usage: message?.usage ?? null,
  }
}
