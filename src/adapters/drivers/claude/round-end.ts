import { resetInText } from '../../../core/limits/reset-time.ts'
import type { AgentEndKind, Claim, RoundEnd } from '../../../core/model/round.ts'

/** Fields of a result that show how a round ended; some versions of Claude Code lack some. */
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

/** Signals during a round that say more about its end than the result. */
export interface RoundSignals {
  readonly claim: Claim | null
  /** Last typed error of an answer. */
  readonly error: string | null
  /** Usage limit that the API reported, and when it ends. */
  readonly limit: { readonly resetAt: number | null } | null
  readonly isRefused: boolean
  /** Number of tool calls that succeeded. */
  readonly toolsDone: number
  /** Tools that were refused. */
  readonly denied: readonly string[]
}

/** Time and zone for reading times in a text. */
export interface LocalTime {
  readonly now: number
  readonly zone: string
}

/** Derives a round's end from the reason, subtype and error flag of its result; never from its words. */
export function endOf(result: Result, signals: RoundSignals, time: LocalTime): RoundEnd {
  const kind = kindOf(result, signals)
  const message = firstLine(result)
  const detail = DETAILS[kind]?.(message, result, signals) ?? (message || kind)
  const resetAt = kind === 'rate-limited' ? resetTime(result, signals, time) : null
  return { kind, detail, claim: signals.claim, resetAt, note: null }
}

/** True when the agent refuses to create a session that exists, or to resume one that does not. */
export function refusesOpening(message: string): boolean {
  return /Session ID \S+ is already in use|No conversation found with session ID/.test(message)
}

/** Maps a typed error of the API to an end, or null. */
export function kindOfError(error: string | null, status: number | null): AgentEndKind | null {
  return KIND_OF_ERROR[error ?? ''] ?? kindOfStatus(status)
}

const KIND_OF_REASON: Readonly<Record<string, AgentEndKind>> = {
  max_turns: 'max-turns',
  budget_exhausted: 'budget',
  prompt_too_long: 'context-exhausted',
  blocking_limit: 'context-exhausted',
  rapid_refill_breaker: 'context-exhausted',
  // The agent ended without a readable answer, which is handled like an unreadable report.
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

// Problems with the sign-in, and those that pass by themselves; all others are problems of the settings.
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

// Reasons for which the stop reason and the errors of the answer count.
const ANSWERED = new Set(['completed', 'api_error', 'model_error'])

function kindOf(result: Result, signals: RoundSignals): AgentEndKind {
  const { terminal_reason: reason, subtype, is_error: isError, startup_failure_reason: failedStart } = result
  if (failedStart !== undefined) return KIND_OF_FAILED_START[failedStart] ?? 'config'
  const clear = KIND_OF_REASON[reason ?? ''] ?? KIND_OF_SUBTYPE[subtype]
  if (clear !== undefined) return clear
  if (reason !== undefined && !ANSWERED.has(reason)) return 'unknown'
  if (result.stop_reason === 'refusal' || signals.isRefused) return 'refused'
  if (isError || subtype !== 'success') return kindOfFailure(result, signals)
  if (result.stop_reason === 'max_tokens') return 'truncated'
  if (reason !== 'completed') return 'unknown'
  return couldDoNothing(signals) ? 'config' : 'ok'
}

function kindOfFailure(
  { terminal_reason: reason, api_error_status: status = null }: Result,
  signals: RoundSignals,
): AgentEndKind {
  if (signals.limit !== null) return 'rate-limited'
  const kind = kindOfError(signals.error, status)
  if (kind !== null) return kind
  // Without a status, the API was not reachable.
  return reason === 'api_error' && status === null ? 'overloaded' : 'unknown'
}

function kindOfStatus(status: number | null): AgentEndKind | null {
  if (status === 401 || status === 403) return 'auth'
  if (status === 429) return 'rate-limited'
  if (status === 404) return 'config'
  return status !== null && status >= 500 ? 'overloaded' : null
}

// An agent that is allowed nothing still ends without an error, but its work is not done.
function couldDoNothing({ claim, toolsDone, denied }: RoundSignals): boolean {
  return denied.length > 0 && toolsDone === 0 && claim?.kind !== 'blocked'
}

type DescribeEnd = (message: string, result: Result, signals: RoundSignals) => string

const DETAILS: Partial<Record<AgentEndKind, DescribeEnd>> = {
  ok: (message) => message || 'The agent has finished.',
  'max-turns': (message) => message || 'The agent has used all its turns.',
  budget: (message) => message || 'The agent has used its budget.',
  'context-exhausted': (message) => `The context window is full. ${message}`.trim(),
  config: (message, _result, { denied }) =>
    denied.length > 0
      ? `The agent was not allowed to do anything (${[...new Set(denied)].join(', ')}). Set agent.access or agent.tools in longhaul.yaml.`
      : message,
  unknown: (message, { terminal_reason: reason, subtype }) =>
    `The agent ended for an unknown reason: ${[reason ?? subtype, message].filter(Boolean).join(', ')}`,
}

function resetTime(
  { result = '', errors = [] }: Result,
  { limit }: RoundSignals,
  { now, zone }: LocalTime,
): number | null {
  return limit?.resetAt ?? resetInText([result, ...errors].join('\n'), now, zone)
}

const DETAIL_LENGTH_MAX = 300

function firstLine({ result, errors }: Result): string {
  const text = result || errors?.join('; ') || ''
  const line = text.split('\n').find((candidate) => /\S/.test(candidate)) ?? ''
  return line.length > DETAIL_LENGTH_MAX ? `${line.slice(0, DETAIL_LENGTH_MAX)}…` : line
}
