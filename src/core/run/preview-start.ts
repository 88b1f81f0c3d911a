import type { AttemptId, Commit, TaskId, Tree } from '../model/ids.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { Settings } from '../model/settings.ts'
import { needsBaseline } from './effects-due.ts'
import { evolveRun } from './evolve.ts'
import { settleRun } from './settle.ts'
import { attemptOf, type RunState } from './state.ts'

/** First steps of an engine that starts now. */
export interface StartPreview {
  /** True when the baseline is checked before anything starts. */
  readonly isBaselineFirst: boolean
  /** Attempts that resume. */
  readonly goesOn: readonly PreviewedAttempt[]
  readonly starts: readonly PreviewedAttempt[]
}

export interface PreviewedAttempt {
  readonly task: TaskId
  readonly attempt: AttemptId
  readonly reason: string
}

/** Returns the first steps of an engine that starts now; changes the state, so pass a copy. */
export function previewStart(state: RunState, settings: Settings, at: number): StartPreview {
  const apply = (event: RunEvent) => evolveRun(state, event, at)
  apply({ kind: 'settings-adopted', values: settings, digest: 'preview', changed: [], fixed: [] })
  apply({ kind: 'engine-started', pid: 0 })
  if (state.line === null)
    apply({ kind: 'line-opened', line: ANY_COMMIT, tree: ANY_COMMIT as string as Tree, target: ANY_COMMIT })
  const isBaselineFirst = needsBaseline(state)
  if (isBaselineFirst) apply({ kind: 'baseline-checked', commit: ANY_COMMIT, passed: true, receipts: [], findings: [] })
  const goesOn = state.pausedAt === null ? [...state.working].map((attempt) => inProgress(state, attempt)) : []
  const starts: PreviewedAttempt[] = []
  for (let next = settleRun(state, { at, uuid: NIL_UUID }); next.length > 0; ) {
    for (const event of next) {
      if (event.kind === 'attempt-resumed') goesOn.push({ ...inProgress(state, event.attempt), reason: event.reason })
      if (event.kind === 'attempt-started')
        starts.push(...event.tasks.map((task) => ({ task, attempt: event.attempt, reason: event.reason })))
      apply(event)
    }
    next = settleRun(state, { at, uuid: NIL_UUID })
  }
  return { isBaselineFirst, goesOn, starts }
}

function inProgress(state: RunState, attempt: AttemptId): PreviewedAttempt {
  return { task: attemptOf(state, attempt).task, attempt, reason: 'already in progress' }
}

const ANY_COMMIT = '0'.repeat(40) as Commit
const NIL_UUID = '00000000-0000-0000-0000-000000000000'
