import { credentialOf } from '../limits/credential.ts'
import type { TaskId } from '../model/ids.ts'
import { allowanceFor } from './allowance.ts'
import { runEffectsDue } from './effects-due.ts'
import { attemptOf, type RunState, settingsOf, taskOf } from './state.ts'

/** Where a run stands: what a person would ask first. */
export type RunCondition =
  | { readonly kind: 'empty' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'working' }
  /** A person has paused it. */
  | { readonly kind: 'paused'; readonly since: number }
  /** Everything that could go on waits for a usage limit. */
  | { readonly kind: 'parked'; readonly until: number }
  /** Nothing goes on before a person has acted. */
  | { readonly kind: 'waiting'; readonly for: readonly string[] }

/** Tells where a run that is driven stands. */
export function runCondition(state: RunState, at: number): RunCondition {
  if (state.tasks.size === 0) return { kind: 'empty' }
  if (runEffectsDue(state, at).length > 0) return { kind: 'working' }
  if (state.endedAt !== null) return { kind: 'ended' }
  if (state.pausedAt !== null) return { kind: 'paused', since: state.pausedAt }
  const limits = limitsInTheWay(state)
  if (limits.length > 0) return { kind: 'parked', until: Math.min(...limits) }
  if (state.pending.size > 0 || isTriedAgain(state)) return { kind: 'working' }
  return { kind: 'waiting', for: waitingFor(state, at) }
}

/** Whether the target, which could not follow, is about to be tried once more. */
function isTriedAgain({ targetHeld, line, lineHeld }: RunState): boolean {
  return targetHeld?.tries === 1 && lineHeld === null && targetHeld.commit === line?.line
}

/** When the usage limits end that keep something from going on. */
function limitsInTheWay(state: RunState): readonly number[] {
  const wanted = [...state.pending].map((attempt) => attemptOf(state, attempt).credential)
  if (state.ready.size > 0) wanted.push(credentialOf(settingsOf(state).agent))
  return [...new Set(wanted)].flatMap((credential) => state.limits.get(credential)?.until ?? [])
}

/** What a person has to do, a line each. */
function waitingFor(state: RunState, at: number): readonly string[] {
  const lines: string[] = []
  if (state.lineHeld !== null) lines.push(`${state.lineHeld.reason} ${state.lineHeld.hint}`)
  for (const [id, record] of state.tasks) {
    if (record.standing === 'needs-person') lines.push(`${id}: ${needsPersonText(state, id)}`)
  }
  const [first] = state.ready
  if (first !== undefined && lines.length === 0) {
    const grant = allowanceFor(state, taskOf(state, first), at)
    if (grant.kind !== 'granted') lines.push(`${grant.reason}. Raise it in longhaul.yaml, then run again.`)
  }
  return lines
}

/** Why a task needs a person, and what helps. */
export function needsPersonText(state: RunState, task: TaskId): string {
  const record = taskOf(state, task)
  const wait = record.live === null ? null : state.attempts.get(record.live)?.wait
  if (wait?.kind === 'person') return withHint(wait.question, wait.hint)
  return record.verdict === null ? '' : withHint(record.verdict.reason, record.verdict.hint)
}

function withHint(reason: string, hint: string): string {
  return `${reason}${/[.!?]$/.test(reason) ? '' : '.'} ${hint}`
}
