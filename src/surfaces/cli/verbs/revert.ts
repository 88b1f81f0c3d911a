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

/** `longhaul revert`: undoes a landed task. */
export const revertVerb: Verb = {
  about:
    'Undoes a landed task with a new commit that is checked like any other. The task then counts as failed. While other tasks are open, the revert happens with the next "longhaul run".',
  examples: ['longhaul revert fix-login'],
  shape: (command) => void command.argument('<task>', 'the task').option('--json', 'print the outcome as JSON'),
  async run(context, typed) {
    const task = argument(typed, 0) as TaskId
    const repository = await findRepository(context)
    if (!repository.hasState()) throw new ProblemError(noRun())
    const open = await openRepositoryFor(context.world, repository, 'commits')
    try {
      const { byEngine } = await askRun(open, { purpose: 'revert', request: { kind: 'revert', task }, opening: null })
      return byEngine
        ? reportPending(context, task, 'The running engine does it now.')
        : await revertHere(context, open, task)
    } finally {
      await open.close()
    }
  },
}

async function revertHere(context: VerbContext, open: OpenRepository, task: TaskId): Promise<ExitCode> {
  const run = currentRun(await readRuns(open.state.store))?.run
  if (run === undefined) throw new ProblemError(noRun())
  if (!isOnlyWork(await foldRun(open.state.store, run))) return reportPending(context, task, 'Next: longhaul run')
  const { output } = context
  const { end, state } = await driveHere(open, {
    run,
    settings: null,
    noWait: true,
    started: () => {},
    announce(event) {
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

/** True when driving the run now would do nothing but the revert. */
function isOnlyWork({ counts, attempts }: RunState): boolean {
  const open = counts.waiting + counts.ready + counts.running + counts.landing + counts.parked + counts['needs-person']
  return open === 0 && attempts.size === 0
}

function reportPending({ output }: VerbContext, task: TaskId, next: string): ExitCode {
  output.json({ reverted: task, isReverted: false })
  output.line(`${task} will be reverted. ${next}`)
  return EXIT.done
}
