import type { AttemptState, Doing } from '../../attempt/state.ts'
import { occupancy } from '../../context/occupancy.ts'
import type { Activity, ShownActivity } from '../../model/activity.ts'
import type { AttemptId } from '../../model/ids.ts'
import { currentActivity } from '../activity.ts'
import { durationText } from '../duration-text.ts'

/** An attempt as a follower of its ledger knows it. */
export interface FollowedAttempt {
  readonly state: AttemptState
  /** When what it is doing now began. */
  readonly since: number
}

/** What an attempt is doing now, and what it has used. */
export interface LiveAttempt {
  readonly attempt: AttemptId
  readonly doing: string
  /** null: nothing goes on whose time would tell anything. */
  readonly forMs: number | null
  /** How full its session is, 0–1; null: unknown. */
  readonly context: number | null
  /** Whether that is past the point of which the settings warn. */
  readonly isTight: boolean
  readonly turns: number
  /** How many the round may take; null: no round is going on. */
  readonly turnsMax: number | null
  /** null: some of it has no known price. */
  readonly usd: number | null
  readonly handOffs: number
}

/** What else there is to know for telling what an attempt is doing. */
export interface AttemptContext {
  readonly activity: ShownActivity | undefined
  readonly isDriven: boolean
  readonly at: number
}

/** Tells what an attempt is doing. */
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
      return 'waits for the model'
    case 'streaming':
      return 'the model answers'
    case 'tool':
      return activity.name
    case 'processing':
      return 'works by itself'
    case 'retrying':
      return activity.until === null
        ? `retries the model (retry ${activity.attempt})`
        : `retries the model in ${durationText(activity.until - at)}`
  }
}

const IS_TIMED: ReadonlySet<Doing['kind']> = new Set([
  'workspace',
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
      return 'begins'
    case 'workspace':
      return 'makes its workspace'
    case 'between':
      return `${phase} · before round ${rounds + 1}`
    case 'round':
      return `${phase} · round ${doing.round}`
    case 'checkpoint':
      return `${phase} · saves its work`
    case 'checking':
      return `${phase} · checks run`
    case 'asking-judge':
      return `${phase} · the judge is asked`
    case 'waiting':
      return doing.for.kind === 'slot' ? 'waits for a slot' : `waits (${doing.for.kind})`
    case 'landing':
      return 'waits to land'
    case 'closing':
    case 'ended':
      return `ends: ${doing.reason}`
  }
}
