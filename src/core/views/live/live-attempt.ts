import type { AttemptState, Doing } from '../../attempt/state.ts'
import { occupancy } from '../../context/occupancy.ts'
import { durationText } from '../../limits/duration-text.ts'
import type { Activity, ShownActivity } from '../../model/activity.ts'
import type { AttemptId } from '../../model/ids.ts'
import { currentActivity } from '../activity.ts'

/** State of an attempt, folded from its ledger. */
export interface FollowedAttempt {
  readonly state: AttemptState
  /** Start of its current step. */
  readonly since: number
}

/** Current step and usage of an attempt. */
export interface LiveAttempt {
  readonly attempt: AttemptId
  readonly doing: string
  /** Time in the current step, or null when the step is not timed. */
  readonly forMs: number | null
  /** Share of the context window in use (0–1), or null when unknown. */
  readonly context: number | null
  /** True when the share has reached `context.warn`. */
  readonly isTight: boolean
  readonly turns: number
  /** Turn limit of the current round, or null between rounds. */
  readonly turnsMax: number | null
  /** Cost, or null when a price is unknown. */
  readonly usd: number | null
  readonly handOffs: number
}

/** Facts about an attempt that its ledger does not have. */
export interface AttemptContext {
  readonly activity: ShownActivity | undefined
  readonly isDriven: boolean
  readonly at: number
}

/** Describes the current step of an attempt. */
export function liveAttempt(
  attempt: AttemptId,
  { state, since }: FollowedAttempt,
  { activity: shown, isDriven, at }: AttemptContext,
): LiveAttempt {
  const { doing, totals, unpriced, handOffs, roundTurns } = state
  const isRound = doing.kind === 'round'
  const context = contextShare(state)
  const activity = isRound && shown !== undefined ? currentActivity(state, shown, { isDriven, at }) : null
  const began = activity === null || shown === undefined ? since : shown.since
  return {
    attempt,
    doing: activity === null ? doingText(state) : `${doingText(state)} · ${activityText(activity, at)}`,
    forMs: isDriven && IS_TIMED.has(doing.kind) ? Math.max(0, at - began) : null,
    context,
    isTight: context !== null && state.spec !== null && context >= state.spec.context.warn,
    turns: isRound ? roundTurns : totals.turns,
    turnsMax: isRound ? doing.turnsMax : null,
    usd: unpriced ? null : totals.usd,
    handOffs,
  }
}

function activityText(activity: Activity, at: number): string {
  switch (activity.kind) {
    case 'idle':
      return 'idle'
    case 'waiting':
      return 'waiting for the model'
    case 'streaming':
      return 'receiving the answer'
    case 'tool':
      return activity.name
    case 'processing':
      return 'processing'
    case 'retrying':
      return activity.until === null
        ? `retrying the model (retry ${activity.attempt})`
        : `retrying the model in ${durationText(activity.until - at)}`
  }
}

const IS_TIMED: ReadonlySet<Doing['kind']> = new Set([
  'workspace',
  'trying-verify',
  'round',
  'checkpoint',
  'checking',
  'asking-judge',
  'closing',
])

function contextShare({ session, spec }: AttemptState): number | null {
  if (session === null || spec === null) return null
  return occupancy(session.used, session.window, spec.context)?.share ?? null
}

function doingText({ doing, phase, rounds }: AttemptState): string {
  switch (doing.kind) {
    case 'unopened':
      return 'starting'
    case 'workspace':
      return 'preparing its workspace'
    case 'trying-verify':
      return 'trying its verify commands before any work'
    case 'between':
      return `${phase} · before round ${rounds + 1}`
    case 'round':
      return `${phase} · round ${doing.round}`
    case 'checkpoint':
      return `${phase} · saving its work`
    case 'checking':
      return `${phase} · running checks`
    case 'asking-judge':
      return `${phase} · asking the judge`
    case 'waiting':
      return doing.for.kind === 'slot' ? 'waiting for a slot' : `waiting (${doing.for.kind})`
    case 'landing':
      return 'waiting to land'
    case 'closing':
    case 'ended':
      return `closing: ${doing.reason}`
  }
}
