import type { AttemptId, Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import { type Git, splitZero } from '../../git/git.ts'

/** An attempt's commit, null when the line has it; a problem when it would bring back landings that a person dropped. */
export async function ownWork(
  git: Git,
  attempt: AttemptId,
  base: Commit,
  commit: Commit,
): Promise<Commit | null | Problem> {
  const output = await git.run(['log', '-z', `--format=${ATTEMPTS}`, `${base}..${commit}`, '--'])
  if (isProblem(output)) return output
  if (output === '') return null
  const named = splitZero(output).flatMap((line) => line.split(',').slice(1))
  const foreign = named.find((name) => name.trim() !== '' && taskOf(name) !== taskOf(attempt))
  return foreign === undefined ? commit : bringsBack(attempt, foreign.trim())
}

const ATTEMPTS = '%H,%(trailers:key=Attempt,valueonly,separator=%x2C)'

function taskOf(attempt: string): string {
  return attempt.trim().replace(/-a\d+$/, '')
}

function bringsBack(attempt: AttemptId, dropped: string): Problem {
  return problem({
    code: 'builds-on-dropped',
    message: `${attempt} builds on ${dropped}, which is not on the landing line any more, so it would bring that back.`,
    hint: 'Retry the task, so that it starts from the line.',
    retry: 'never',
  })
}
