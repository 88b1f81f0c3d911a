import { unwrap } from '../../../core/model/problem.ts'
import { NO_RUN } from '../../../core/views/status.ts'
import type { Repository } from '../../../ports/repository.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { hasCommit, NO_COMMIT_HINT } from '../repository/first-commit.ts'
import { lostState } from '../repository/landed-before.ts'
import { findRepository } from '../repository/open-repository.ts'
import { currentRun, foldRun, readRuns, readStatus } from '../repository/runs.ts'
import type { Verb, VerbContext } from '../verb.ts'

/** `longhaul status`: shows the state of the run and its tasks. */
export const statusVerb: Verb = {
  about: 'Shows the run, every task with the reason for its state, limits, cost, and where state and workspaces are.',
  examples: ['longhaul status', 'longhaul status --json | jq \'.tasks[] | select(.state == "failed")\''],
  shape: (command) => void command.option('--json', 'print the status as JSON'),
  async run(context) {
    const repository = await findRepository(context)
    if (repository.hasState()) return showStatus(context, repository)
    unwrap(await lostState(repository))
    return showNothing(context, repository)
  },
}

async function showStatus(context: VerbContext, repository: Repository): Promise<ExitCode> {
  const { world, output } = context
  const state = unwrap(await repository.readState())
  const current = currentRun(await readRuns(state.store))
  if (current === null) return showNothing(context, repository)
  const run = await foldRun(state.store, current.run)
  const status = await readStatus(repository, state, run, world.clock)
  await state.store.close()
  output.json(status)
  if (output.isJson) return EXIT.done
  // The module that measures columns is slow to load.
  const { renderStatus } = await import('../render/render-status.ts')
  for (const line of renderStatus(status, run, repository, world.clock.now(), output)) output.line(line)
  return EXIT.done
}

async function showNothing({ output }: VerbContext, repository: Repository): Promise<ExitCode> {
  output.json(NO_RUN)
  const next = (await hasCommit(repository)) ? 'Add tasks: longhaul import FILE' : NO_COMMIT
  output.line(`There is no run in this repository yet. ${next}`)
  output.line(`State will be kept in ${repository.stateFolder}, workspaces in ${repository.workspacesHome}.`)
  return EXIT.done
}

const NO_COMMIT = `There is no commit yet, either. ${NO_COMMIT_HINT}`
