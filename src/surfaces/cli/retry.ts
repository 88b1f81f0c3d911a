import type { TaskId } from '../../core/model/ids.ts'
import { askRun, noRun } from './ask-run.ts'
import { findPlace, openDesk } from './desk.ts'
import { EXIT } from './exit-codes.ts'
import { Refusal } from './refusal.ts'
import { argument, type Verb } from './verb.ts'

/** `longhaul retry`: lets a task be tried again. */
export const retryVerb: Verb = {
  about:
    'Opens a task again that failed, was stopped or needs a person, with a fresh count of attempts. A run that has ended is opened again.',
  examples: ['longhaul retry fix-login && longhaul run'],
  shape: (command) => void command.argument('<task>', 'the task').option('--json', 'print the outcome as JSON'),
  async run({ world, output }, given) {
    const task = argument(given, 0) as TaskId
    const place = await findPlace({ world })
    if (!place.hasState()) throw new Refusal([noRun()])
    const desk = await openDesk(world, place, 'none')
    try {
      const { byEngine } = await askRun(desk, { purpose: 'retry', request: { kind: 'retry', task }, opening: null })
      output.json({ retried: task, byEngine })
      output.line(
        byEngine
          ? `${task} is tried again by the engine that is running.`
          : `${task} is open again. Next: longhaul run`,
      )
      return EXIT.done
    } finally {
      await desk.close()
    }
  },
}
