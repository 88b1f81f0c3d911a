import type { AttemptState } from '../attempt/state.ts'
import { HEARTBEAT_MS, HEARTBEATS_MISSED_MAX } from '../limits/limits.ts'
import type { Activity, ShownActivity } from '../model/activity.ts'

/** Names a session's activity for programs: idle, waiting, streaming, tool:NAME, processing, retrying until TIME. */
export function activityWord(activity: Activity): string {
  switch (activity.kind) {
    case 'tool':
      return `tool:${activity.name}`
    case 'retrying':
      return activity.until === null ? 'retrying' : `retrying until ${new Date(activity.until).toISOString()}`
    default:
      return activity.kind
  }
}

/** Returns the current activity of an attempt's session, or null when the engine has not reported it lately. */
export function currentActivity(
  { doing }: Pick<AttemptState, 'doing'>,
  shown: ShownActivity | undefined,
  { isDriven, at }: { readonly isDriven: boolean; readonly at: number },
): Activity | null {
  if (doing.kind !== 'round' || !isDriven) return { kind: 'idle' }
  const isCurrent = shown?.round === doing.round && at - shown.at <= HEARTBEAT_MS * HEARTBEATS_MISSED_MAX
  return shown !== undefined && isCurrent ? shown.activity : null
}
