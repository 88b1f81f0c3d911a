import { EXIT } from '../exit-codes.ts'
import { askOpenRun } from '../repository/ask-open-run.ts'
import type { Verb } from '../verb.ts'

/** `longhaul resume`: ends a pause. */
export const resumeVerb: Verb = {
  about: 'Ends a pause. An engine that is running goes on at once; without one, "longhaul run" does.',
  examples: ['longhaul resume', 'longhaul resume && longhaul run'],
  shape: (command) => void command.option('--json', 'print the outcome as JSON'),
  async run(context) {
    const { counts, byEngine, state } = await askOpenRun(context, 'resume', { kind: 'resume' })
    const { output } = context
    const isChanged = counts['run-resumed'] === 1
    output.json({ run: state.id, isPaused: false, isChanged, byEngine })
    output.line(isChanged ? `Run ${state.id} is no longer paused.` : `Run ${state.id} is not paused.`)
    if (state.endedAt !== null) output.line('It has ended.')
    else output.line(byEngine ? 'The engine that is running goes on.' : 'Next: longhaul run')
    return EXIT.done
  },
}
