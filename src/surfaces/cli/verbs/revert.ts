import type { TaskId } from '../../../core/model/ids.ts'
import { ProblemError } from '../../../core/model/problem.ts'
import type { RunState } from '../../../core/run/state.ts'
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts'
import { liveLine } from '../render/render-event.ts'
import { askRun, noRun } from '../repository/ask-run.ts'
import { driveHere } from '../repository/drive-here.ts'
import { findRepository, type OpenRepository, openRepositoryFor } from '../repository/open-repository.ts'
import { currentRun, foldRun, readRuns } from '../repository/runs.ts'
import { argument, type Verb, type VerbContext } from '../verb.ts'

/** `longhaul revert`: undoes what a task landed. */
export const revertVerb: Verb = {
  about:
    'Undoes a landing by a new commit that is checked like any other. The task counts as failed afterwards. While other tasks are open, it happens with the next run.',
  examples: ['longhaul revert fix-login'],
  shape: (command) => void command.argument('<task>', 'the task').option('--json', 'print the outcome as JSON'),
  async run(context, given) {
    const task = argument(given, 0) as TaskId
    const place = await findRepository(context)
    if (!place.hasState()) throw new ProblemError(noRun())
    const desk = await openRepositoryFor(context.world, place, 'commits')
    try {
      const { byEngine } = await askRun(desk, { purpose: 'revert', request: { kind: 'revert', task }, opening: null })
      return byEngine
        ? told(context, task, 'It happens now, in the engine that is running.')
        : await here(context, desk, task)
    } finally {
      await desk.close()
    }
  },
}

async function here(context: VerbContext, desk: OpenRepository, task: TaskId): Promise<ExitCode> {
  const run = currentRun(await readRuns(desk.state.store))?.run
  if (run === undefined) throw new ProblemError(noRun())
  if (!isAlone(await foldRun(desk.state.store, run)))
    return told(context, task, 'It happens with the next "longhaul run".')
  const { output } = context
  const { end, state } = await driveHere(desk, {
    run,
    settings: null,
    noWait: true,
    began: () => {},
    heard(event) {
      const line = output.isJson ? null : liveLine(event, output.colors)
      if (line !== null) output.line(line)
    },
    say: (text) => output.remark(text),
  })
  if (end.kind === 'halted') output.problems([end.problem])
  const isReverted = state.tasks.get(task)?.landed === null
  output.json({ reverted: task, isReverted })
  if (isReverted) return EXIT.done
  return end.kind === 'settled' && end.condition.kind === 'ended' ? EXIT.failed : exitCodeOf(end, state)
}

/** Whether driving the run now would do nothing but this. */
function isAlone({ counts, attempts }: RunState): boolean {
  const open = counts.waiting + counts.ready + counts.running + counts.landing + counts.parked + counts['needs-person']
  return open === 0 && attempts.size === 0
}

function told({ output }: VerbContext, task: TaskId, when: string): ExitCode {
  output.json({ reverted: task, isReverted: false })
  output.line(`${task} is to be reverted. ${when}`)
  return EXIT.done
}
