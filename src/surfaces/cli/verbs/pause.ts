import { EXIT } from '../exit-codes.ts'
import { askOpenRun } from '../repository/ask-open-run.ts'
import type { Verb } from '../verb.ts'

/** `longhaul pause`: lets nothing new start. */
export const pauseVerb: Verb = {
  about:
    'Pauses the run: rounds that are going on end by themselves, work that is ready still lands, and nothing new starts before "longhaul resume". An engine that is running stays and waits; the pause also holds for engines started later.',
  examples: ['longhaul pause', 'longhaul pause && longhaul status'],
  shape: (command) => void command.option('--json', 'print the outcome as JSON'),
  async run(context) {
    const { counts, byEngine, state } = await askOpenRun(context, 'pause', { kind: 'pause' })
    const { output } = context
    output.json({ run: state.id, isPaused: true, isChanged: counts['run-paused'] === 1, byEngine })
    output.line(counts['run-paused'] === 1 ? `Run ${state.id} is paused.` : `Run ${state.id} was paused already.`)
    if (state.working.size > 0 && byEngine) output.line('Rounds that are going on end by themselves.')
    output.line('"longhaul resume" lets it go on.')
    return EXIT.done
  },
}
