import type { AttemptState } from '../attempt/state.ts'
import type { Commit } from '../model/ids.ts'
import type { RunState } from './state.ts'

/** Commit that a run builds on, with its purpose. */
export interface RequiredCommit {
  readonly commit: Commit
  readonly what: string
}

/** Lists the commits that a repository needs before a run can continue in it, each once. */
export function requiredCommits(run: RunState, attempts: readonly AttemptState[]): readonly RequiredCommit[] {
  const needed = new Map<Commit, string>()
  const need = (commit: Commit | null | undefined, what: string) => {
    if (commit !== null && commit !== undefined && !needed.has(commit)) needed.set(commit, what)
  }
  need(run.line?.line, 'the landing line')
  need(run.line?.target, `${run.target} as last read`)
  for (const [id, { landed, last }] of run.tasks) {
    if (landed !== null) need(landed.commit, `${id} as it landed`)
    else need(last?.commit, `the work of ${last?.attempt}`)
  }
  for (const { attempt, base } of run.attempts.values()) need(base, `the base of ${attempt}`)
  for (const { spec, commit } of attempts) need(commit, `the work of ${spec?.attempt}`)
  for (const { id, subject, candidate } of run.landings) {
    need(subject.commit, `the work that ${id} lands`)
    need(candidate?.commit, `the candidate of ${id}`)
  }
  return [...needed].map(([commit, what]) => ({ commit, what }))
}
