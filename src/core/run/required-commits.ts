import type { AttemptState } from '../attempt/state.ts'
import type { Commit } from '../model/ids.ts'
import type { RunState } from './state.ts'

/** A commit that a run builds on, and what for. */
export interface RequiredCommit {
  readonly commit: Commit
  readonly what: string
}

/** The commits that a repository must have for a run to go on in it, each once. */
export function requiredCommits(run: RunState, attempts: readonly AttemptState[]): readonly RequiredCommit[] {
  const needed = new Map<Commit, string>()
  const need = (commit: Commit | null | undefined, what: string) => {
    if (commit !== null && commit !== undefined && !needed.has(commit)) needed.set(commit, what)
  }
  need(run.line?.line, 'the landing line')
  need(run.line?.target, `${run.target} as it was last seen`)
  for (const [id, { landed, last }] of run.tasks) {
    if (landed !== null) need(landed.commit, `${id} as it landed`)
    else need(last?.commit, `the work of ${last?.attempt}`)
  }
  for (const { attempt, base } of run.attempts.values()) need(base, `what ${attempt} started from`)
  for (const { spec, commit } of attempts) need(commit, `the work of ${spec?.attempt}`)
  for (const { id, subject, candidate } of run.landings) {
    need(subject.commit, `what ${id} brings in`)
    need(candidate?.commit, `the candidate of ${id}`)
  }
  return [...needed].map(([commit, what]) => ({ commit, what }))
}
