import { unwrap } from '../../../core/model/problem.ts'
import { NO_RUN } from '../../../core/views/status.ts'
import type { Repository } from '../../../ports/repository.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { findRepository } from '../repository/open-repository.ts'
import { currentRun, foldRun, readRuns, readStatus } from '../repository/runs.ts'
import type { Verb, VerbContext } from '../verb.ts'

/** `longhaul status`: where the run and its tasks stand. */
export const statusVerb: Verb = {
  about: 'Shows the run, every task with the reason for its state, limits, what was spent, and where things are kept.',
  examples: ['longhaul status', 'longhaul status --json | jq \'.tasks[] | select(.state == "failed")\''],
  shape: (command) => void command.option('--json', 'print the status as JSON'),
  async run(context) {
    const place = await findRepository(context)
    return place.hasState() ? showStatus(context, place) : showNothing(context, place)
  },
}

async function showStatus(context: VerbContext, place: Repository): Promise<ExitCode> {
  const { world, output } = context
  const state = unwrap(await place.openState())
  const found = currentRun(await readRuns(state.store))
  if (found === null) return showNothing(context, place)
  const run = await foldRun(state.store, found.run)
  const status = await readStatus(place, state, run, world.clock)
  await state.store.close()
  output.json(status)
  if (output.isJson) return EXIT.done
  // What measures columns takes a while to load.
  const { renderStatus } = await import('../render/render-status.ts')
  for (const line of renderStatus(status, run, place, world.clock.now(), output)) output.line(line)
  return EXIT.done
}

function showNothing({ output }: VerbContext, place: Repository): ExitCode {
  output.json(NO_RUN)
  output.line('There is no run in this repository yet. Bring in tasks: longhaul import FILE')
  output.line(`State would be kept in ${place.stateFolder}, workspaces in ${place.workspacesHome}.`)
  return EXIT.done
}
