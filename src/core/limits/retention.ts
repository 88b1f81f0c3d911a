import {
  KEPT_CHECKOUT_MS_MAX,
  KEPT_SALVAGE_MS_MAX,
  KEPT_TEMPORARY_MS_MAX,
  KEPT_TRANSCRIPT_MS_MAX,
  KEPT_WORKSPACE_MS_MAX,
  KEPT_WORKSPACES_MAX,
} from './limits.ts'

interface OnDisk {
  readonly name: string
  readonly kind: 'workspace' | 'partial' | 'checkout' | 'leftover'
  readonly attempt: string | null
  readonly changedAt: number
}

/** State of an attempt, as far as its workspace is concerned. */
export type AttemptFate = 'live' | 'landed' | 'over'

/** Workspace to remove, with the reason. */
export interface DiscardedWorkspace {
  readonly name: string
  readonly why: string
}

/** Returns the workspaces to remove: leftovers of crashes, landed ones, and failed ones past the last five or a week. */
export function workspacesToDiscard(
  onDisk: readonly OnDisk[],
  fateOf: (attempt: string) => AttemptFate,
  at: number,
): readonly DiscardedWorkspace[] {
  const free = onDisk.filter(({ attempt }) => attempt === null || fateOf(attempt) !== 'live')
  const leftovers = free.filter(({ kind }) => kind !== 'workspace')
  const whole = free.filter(({ kind }) => kind === 'workspace').sort((a, b) => b.changedAt - a.changedAt)
  const hasLanded = ({ attempt }: OnDisk) => attempt !== null && fateOf(attempt) === 'landed'
  const failed = whole.filter((one) => !hasLanded(one))
  const past = failed.filter((one, index) => index >= KEPT_WORKSPACES_MAX || at - one.changedAt > KEPT_WORKSPACE_MS_MAX)
  return [
    ...leftovers.map(({ name }) => ({ name, why: 'left behind by a crash' })),
    ...whole.filter(hasLanded).map(({ name }) => ({ name, why: 'its work has landed' })),
    ...past.map(({ name }) => ({ name, why: WHY_PAST })),
  ]
}

const WHY_PAST = `failed, and not among the last ${KEPT_WORKSPACES_MAX} or older than ${KEPT_WORKSPACE_MS_MAX / 86_400_000} days`

const KEPT_MS_MAX = {
  salvage: KEPT_SALVAGE_MS_MAX,
  transcript: KEPT_TRANSCRIPT_MS_MAX,
  checkout: KEPT_CHECKOUT_MS_MAX,
  temporary: KEPT_TEMPORARY_MS_MAX,
} as const

/** True when something has been kept for its full time. */
export function isExpired(what: keyof typeof KEPT_MS_MAX, since: number, at: number): boolean {
  return at - since > KEPT_MS_MAX[what]
}
