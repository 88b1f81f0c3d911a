import { type Problem, problem } from '../../../core/model/problem.ts'
import { noRun } from '../repository/ask-run.ts'
import { currentRun, type RunFound } from '../repository/runs.ts'

/** Runs that a person asked for: the current one, one by name, or all. */
export type RunChoice =
  | { readonly kind: 'current' }
  | { readonly kind: 'one'; readonly id: string }
  | { readonly kind: 'all' }

const RUNS_SHOWN_MAX = 10

/** Chooses among the runs of a repository, oldest first. */
export function chooseRuns(runs: readonly RunFound[], choice: RunChoice): readonly RunFound[] | Problem {
  if (runs.length === 0) return noRun()
  if (choice.kind === 'all') return runs
  if (choice.kind === 'current') return [currentRun(runs)].filter((run) => run !== null)
  const chosen = runs.filter(({ run }) => run === choice.id)
  return chosen.length > 0 ? chosen : unknownRun(choice.id, runs)
}

/** Reads the choice from options; both together are a mistake. */
export function runChoiceOf(options: Readonly<Record<string, unknown>>): RunChoice | Problem {
  if (options.run !== undefined && options.all === true) {
    const message = '--run names one run and --all means every run, so they cannot be used together.'
    return problem({ code: 'wrong-use', message, hint: 'Leave one of them out.', retry: 'person' })
  }
  if (options.all === true) return { kind: 'all' }
  return options.run === undefined ? { kind: 'current' } : { kind: 'one', id: String(options.run) }
}

function unknownRun(id: string, runs: readonly RunFound[]): Problem {
  const shown = runs.slice(-RUNS_SHOWN_MAX).map(({ run }) => run)
  const hint = `${shown.length < runs.length ? 'The last ones are' : 'There are'}: ${shown.join(', ')}.`
  return problem({
    code: 'unknown-run',
    message: `There is no run "${id}" in this repository.`,
    hint,
    retry: 'person',
  })
}
