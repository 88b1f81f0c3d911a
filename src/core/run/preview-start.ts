import type { AttemptId, Commit, TaskId, Tree } from '../model/ids.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { Settings } from '../model/settings.ts'
import { needsBaseline } from './effects-due.ts'
import { evolveRun } from './evolve.ts'
import { settleRun } from './settle.ts'
import { attemptOf, type RunState } from './state.ts'

/** What an engine would begin with. */
export interface StartPreview {
  /** Whether the target is checked before anything starts. */
  readonly isBaselineFirst: boolean
  /** Attempts that an earlier engine left at work, or that may go on now. */
  readonly goesOn: readonly PreviewedAttempt[]
  readonly starts: readonly PreviewedAttempt[]
}

export interface PreviewedAttempt {
  readonly task: TaskId
  readonly attempt: AttemptId
  readonly reason: string
}

/** Tells what an engine that took the run up in this moment would begin with; uses the state up. */
export function previewStart(state: RunState, settings: Settings, at: number): StartPreview {
  const take = (event: RunEvent) => evolveRun(state, event, at)
  take({ kind: 'settings-adopted', values: settings, digest: 'foreseen' })
  take({ kind: 'engine-started', pid: 0 })
  if (state.line === null) take({ kind: 'line-opened', line: SOME, tree: SOME as string as Tree, target: SOME })
  const isBaselineFirst = needsBaseline(state)
  if (isBaselineFirst) take({ kind: 'baseline-checked', commit: SOME, passed: true, receipts: [], findings: [] })
  const goesOn = state.pausedAt === null ? [...state.working].map((attempt) => atWork(state, attempt)) : []
  const starts: PreviewedAttempt[] = []
  for (let next = settleRun(state, { at, uuid: NO_CHANCE }); next.length > 0; ) {
    for (const event of next) {
      if (event.kind === 'attempt-resumed') goesOn.push({ ...atWork(state, event.attempt), reason: event.reason })
      if (event.kind === 'attempt-started')
        starts.push(...event.tasks.map((task) => ({ task, attempt: event.attempt, reason: event.reason })))
      take(event)
    }
    next = settleRun(state, { at, uuid: NO_CHANCE })
  }
  return { isBaselineFirst, goesOn, starts }
}

function atWork(state: RunState, attempt: AttemptId): PreviewedAttempt {
  return { task: attemptOf(state, attempt).task, attempt, reason: 'it is under way' }
}

const SOME = '0'.repeat(40) as Commit
const NO_CHANCE = '00000000-0000-0000-0000-000000000000'
