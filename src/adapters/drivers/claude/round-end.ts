import { resetInText } from '../../../core/limits/reset-time.ts'
import type { AgentEndKind, Claim, RoundEnd } from '../../../core/model/round.ts'

/** The fields of a result by which a round's end is told; other versions of the agent may lack some. */
export interface Result {
  readonly subtype: string
  readonly is_error: boolean
  readonly terminal_reason?: string | undefined
  readonly stop_reason?: string | null | undefined
  readonly api_error_status?: number | null | undefined
  readonly startup_failure_reason?: string | undefined
  readonly result?: string | undefined
  readonly errors?: readonly string[] | undefined
}

/** What was heard on the way and says more of the end than the result itself. */
export interface RoundSignals {
  readonly claim: Claim | null
  /** The last typed error of an answer. */
  readonly error: string | null
  /** A usage limit that the service named, and when it is over. */
  readonly limit: { readonly resetAt: number | null } | null
  readonly isRefused: boolean
  /** Tools that did something. */
  readonly toolsDone: number
  /** Tools that were not allowed. */
  readonly denied: readonly string[]
}

/** When a text was heard: to make sense of the times in it. */
export interface Hour {
  readonly now: number
  readonly zone: string
}

/** The end that a result tells: by its reason, then its subtype, then whether it is an error; never by its words. */
export function endOf(result: Result, heard: RoundSignals, hour: Hour): RoundEnd {
  const kind = kindOf(result, heard)
  const said = firstLine(result)
  const detail = DETAILS[kind]?.(said, result, heard) ?? (said || kind)
  const resetAt = kind === 'rate-limited' ? resetTime(result, heard, hour) : null
  return { kind, detail, claim: heard.claim, resetAt, note: null }
}

/** Whether the agent would not open a session as asked: it has it already, or has it not. */
export function refusesOpening(said: string): boolean {
  return /Session ID \S+ is already in use|No conversation found with session ID/.test(said)
}

/** What a typed error of the service comes to; null: nothing in particular. */
export function kindOfError(error: string | null, status: number | null): AgentEndKind | null {
  return KIND_OF_ERROR[error ?? ''] ?? kindOfStatus(status)
}

const KIND_OF_REASON: Readonly<Record<string, AgentEndKind>> = {
  max_turns: 'max-turns',
  budget_exhausted: 'budget',
  prompt_too_long: 'context-exhausted',
  blocking_limit: 'context-exhausted',
  rapid_refill_breaker: 'context-exhausted',
  // The agent has come to an end and given nothing that can be read: what follows is as after words that cannot be.
  structured_output_retry_exhausted: 'ok',
}

const KIND_OF_SUBTYPE: Readonly<Record<string, AgentEndKind>> = {
  error_max_turns: 'max-turns',
  error_max_budget_usd: 'budget',
  error_max_structured_output_retries: 'ok',
}

const KIND_OF_ERROR: Readonly<Record<string, AgentEndKind>> = {
  authentication_failed: 'auth',
  oauth_org_not_allowed: 'auth',
  account_on_hold: 'auth',
  verification_required: 'auth',
  billing_error: 'auth',
  cloud_credential_error: 'auth',
  rate_limit: 'rate-limited',
  overloaded: 'overloaded',
  server_error: 'overloaded',
  model_not_found: 'config',
  max_output_tokens: 'truncated',
}

// Those that a person has to settle by signing in, and those that pass by themselves; all others are settings.
const KIND_OF_FAILED_START: Readonly<Record<string, AgentEndKind>> = {
  org_verify_failed: 'auth',
  org_pin_mismatch: 'auth',
  org_pin_api_key_conflict: 'auth',
  gateway_signin_required: 'auth',
  gateway_access_denied: 'auth',
  org_config_refused: 'auth',
  remote_settings_required_unavailable: 'overloaded',
  org_config_required_unavailable: 'overloaded',
}

// The loop ended by itself, or on an answer of the service; only then do the answer's own words count.
const ANSWERED = new Set(['completed', 'api_error', 'model_error'])

function kindOf(result: Result, heard: RoundSignals): AgentEndKind {
  const { terminal_reason: reason, subtype, is_error: isError, startup_failure_reason: failedStart } = result
  if (failedStart !== undefined) return KIND_OF_FAILED_START[failedStart] ?? 'config'
  const clear = KIND_OF_REASON[reason ?? ''] ?? KIND_OF_SUBTYPE[subtype]
  if (clear !== undefined) return clear
  if (reason !== undefined && !ANSWERED.has(reason)) return 'unknown'
  if (result.stop_reason === 'refusal' || heard.isRefused) return 'refused'
  if (isError || subtype !== 'success') return kindOfFailure(result, heard)
  if (result.stop_reason === 'max_tokens') return 'truncated'
  if (reason !== 'completed') return 'unknown'
  return couldDoNothing(heard) ? 'config' : 'ok'
}

function kindOfFailure(
  { terminal_reason: reason, api_error_status: status = null }: Result,
  heard: RoundSignals,
): AgentEndKind {
  if (heard.limit !== null) return 'rate-limited'
  const kind = kindOfError(heard.error, status)
  if (kind !== null) return kind
  // Without any answer there was nobody to give one.
  return reason === 'api_error' && status === null ? 'overloaded' : 'unknown'
}

function kindOfStatus(status: number | null): AgentEndKind | null {
  if (status === 401 || status === 403) return 'auth'
  if (status === 429) return 'rate-limited'
  if (status === 404) return 'config'
  return status !== null && status >= 500 ? 'overloaded' : null
}

// With no permission for anything the agent still ends well; its work is not done.
function couldDoNothing({ claim, toolsDone, denied }: RoundSignals): boolean {
  return denied.length > 0 && toolsDone === 0 && claim?.kind !== 'blocked'
}

type Telling = (said: string, result: Result, heard: RoundSignals) => string

const DETAILS: Partial<Record<AgentEndKind, Telling>> = {
  ok: (said) => said || 'The agent has ended its work.',
  'max-turns': (said) => said || 'The turns are used up.',
  budget: (said) => said || 'The budget that was passed to the agent is used up.',
  'context-exhausted': (said) => `The context window is full. ${said}`.trim(),
  config: (said, _result, { denied }) =>
    denied.length > 0
      ? `The agent was not allowed to do anything (${[...new Set(denied)].join(', ')}). Set agent.access or agent.tools in longhaul.yaml.`
      : said,
  unknown: (said, { terminal_reason: reason, subtype }) =>
    `The agent ended in a way that is not known: ${[reason ?? subtype, said].filter(Boolean).join(', ')}`,
}

function resetTime({ result = '', errors = [] }: Result, { limit }: RoundSignals, { now, zone }: Hour): number | null {
  return limit?.resetAt ?? resetInText([result, ...errors].join('\n'), now, zone)
}

const TOLD_MAX = 300

function firstLine({ result, errors }: Result): string {
  const text = result || errors?.join('; ') || ''
  const line = text.split('\n').find((written) => /\S/.test(written)) ?? ''
  return line.length > TOLD_MAX ? `${line.slice(0, TOLD_MAX)}…` : line
}
