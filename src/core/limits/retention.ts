import { KEPT_WORKSPACE_MS_MAX, KEPT_WORKSPACES_MAX } from './limits.ts'

interface OnDisk {
  readonly name: string
  readonly kind: 'workspace' | 'partial' | 'checkout' | 'leftover'
  readonly attempt: string | null
  readonly changedAt: number
}

/** The workspaces to remove: leftovers of crashes, and failed ones that are past the last five or a week. */
export function workspacesToDiscard(
  onDisk: readonly OnDisk[],
  isLive: (attempt: string) => boolean,
  at: number,
): readonly string[] {
  const free = onDisk.filter((one) => one.attempt === null || !isLive(one.attempt))
  const leftovers = free.filter((one) => one.kind !== 'workspace')
  const kept = free.filter((one) => one.kind === 'workspace').sort((a, b) => b.changedAt - a.changedAt)
  const past = kept.filter((one, index) => index >= KEPT_WORKSPACES_MAX || at - one.changedAt > KEPT_WORKSPACE_MS_MAX)
  return [...leftovers, ...past].map((one) => one.name)
}
