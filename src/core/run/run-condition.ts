import { credentialOf } from '../limits/credential.ts'
import type { TaskId } from '../model/ids.ts'
import { allowanceFor } from './allowance.ts'
import { runEffectsDue } from './effects-due.ts'
import { attemptOf, type RunState, settingsOf, taskOf } from './state.ts'

/** Condition of a run that an engine drives. */
export type RunCondition =
  | { readonly kind: 'empty' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'working' }
  /** The user has paused it. */
  | { readonly kind: 'paused'; readonly since: number }
  /** Everything that could continue waits for a usage limit. */
  | { readonly kind: 'parked'; readonly until: number }
  /** Nothing continues until the user acts; `for` says how, one line per action. */
  | { readonly kind: 'waiting'; readonly for: readonly string[] }

/** Returns the condition of a run that an engine drives. */
export function runCondition(state: RunState, at: number): RunCondition {
  if (state.tasks.size === 0) return { kind: 'empty' }
  if (runEffectsDue(state, at).length > 0) return { kind: 'working' }
  if (state.endedAt !== null) return { kind: 'ended' }
  if (state.pausedAt !== null) return { kind: 'paused', since: state.pausedAt }
  const limits = blockingLimits(state)
  if (limits.length > 0) return { kind: 'parked', until: Math.min(...limits) }
  if (state.pending.size > 0 || isTargetRetryDue(state)) return { kind: 'working' }
  return { kind: 'waiting', for: userActions(state, at) }
}

/** True when the update of the target branch failed once and is about to be retried. */
function isTargetRetryDue({ targetHeld, line, lineHeld }: RunState): boolean {
  return targetHeld?.tries === 1 && lineHeld === null && targetHeld.commit === line?.line
}

/** Returns the reset times of usage limits that block work. */
function blockingLimits(state: RunState): readonly number[] {
  const credentials = [...state.pending].map((attempt) => attemptOf(state, attempt).credential)
  if (state.ready.size > 0) credentials.push(credentialOf(settingsOf(state).agent))
  return [...new Set(credentials)].flatMap((credential) => state.limits.get(credential)?.until ?? [])
}

/** Lists the actions that the user has to take, one per line. */
function userActions(state: RunState, at: number): readonly string[] {
  const lines: string[] = []
  if (state.lineHeld !== null) lines.push(withHint(state.lineHeld.reason, state.lineHeld.hint))
  for (const [id, record] of state.tasks) {
    if (record.standing === 'needs-person') lines.push(`${id}: ${needsPersonText(state, id)}`)
  }
  const [first] = state.ready
  if (first !== undefined && lines.length === 0) {
    const grant = allowanceFor(state, taskOf(state, first), at)
    if (grant.kind !== 'granted')
      lines.push(`${grant.reason}. Raise it in longhaul.yaml, then run "longhaul run" again.`)
  }
  return lines
}

/** Explains why a task needs the user, and what to do. */
export function needsPersonText(state: RunState, task: TaskId): string {
  const record = taskOf(state, task)
  const wait = record.live === null ? null : state.attempts.get(record.live)?.wait
  if (wait?.kind === 'person') return withHint(wait.question, wait.hint)
  return record.verdict === null ? '' : withHint(record.verdict.reason, record.verdict.hint)
}

function withHint(reason: string, hint: string): string {
  return `${reason}${/[.!?]$/.test(reason) ? '' : '.'} ${hint}`
}
