import type { RequestId, RunId } from '../../../core/model/ids.ts'
import type { Request } from '../../../core/model/input.ts'
import { ProblemError, unwrap } from '../../../core/model/problem.ts'
import type { Repository, State } from '../../../ports/repository.ts'
import { EXIT } from '../exit-codes.ts'
import { followLines } from '../live/follow-lines.ts'
import { viewTerminal } from '../live/run-output.ts'
import { askEngine, askRun, noRun } from '../repository/ask-run.ts'
import { findRepository, openRepositoryFor } from '../repository/open-repository.ts'
import { currentRun, RUN_PURPOSE, readRuns } from '../repository/runs.ts'
import type { Terminal } from '../terminal.ts'
import type { Verb, VerbContext } from '../verb.ts'

/** `longhaul watch`: shows a run as it goes on, from outside. */
export const watchVerb: Verb = {
  about:
    'Shows the run as it goes on, whoever drives it: tasks by state, what each attempt is doing, context, turns, money, limits, what is next. Leaving it changes nothing. In a pipe, or with --plain, it prints what happens from now on, line by line. Should a kill -9 leave the terminal odd, "reset" mends it.',
  examples: ['longhaul watch', 'longhaul watch --plain | tee run.log'],
  shape: (command) =>
    void command.option('--plain', 'lines instead of a screen').option('--json', 'print what happens as JSON lines'),
  async run(context, given) {
    const place = await findRepository(context)
    if (!place.hasState()) throw new ProblemError(noRun())
    const state = unwrap(await place.openState())
    const found = currentRun(await readRuns(state.store))
    if (found === null) throw new ProblemError(noRun())
    const terminal = viewTerminal(context, given)
    if (terminal === null) await followLines(context, place, state, found.run)
    else await watchScreen(context, { place, state, run: found.run, terminal })
    await state.store.close()
    return EXIT.done
  },
}

interface Watched {
  readonly place: Repository
  readonly state: State
  readonly run: RunId
  readonly terminal: Terminal
}

async function watchScreen(context: VerbContext, { place, state, run, terminal }: Watched): Promise<void> {
  const { world, output } = context
  const { LiveView } = await import('../live/live-view.ts')
  const { answerText } = await import('../live/answer-text.ts')
  let leave = () => {}
  const left = new Promise<void>((resolve) => {
    leave = resolve
  })
  const signals = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => world.onSignal(signal, leave))
  const view = new LiveView({
    world,
    terminal,
    colors: output.colors,
    place,
    state,
    run,
    seat: 'watch',
    isDriven: async () => (await state.leases.holder())?.purpose === RUN_PURPOSE,
    newestRun: async () => currentRun(await readRuns(state.store))?.run ?? run,
    ask: async (request) => answerText(request, await askFrom(context, place, state, request)),
    interrupted: leave,
    left: leave,
  })
  const unwatch = state.store.watch(() => view.wake())
  try {
    await left
  } finally {
    unwatch()
    view.close()
    for (const callOff of signals) callOff()
  }
}

/** Asks the engine that is running, or records it in its place. */
async function askFrom({ world }: VerbContext, place: Repository, state: State, request: Request) {
  if ((await state.leases.holder()) !== null) {
    return askEngine({ world, state }, request, world.clock.uuid() as RequestId)
  }
  const desk = await openRepositoryFor(world, place, 'neither')
  try {
    const { counts } = await askRun(desk, { purpose: request.kind, request, opening: null })
    return { kind: 'accepted' as const, counts }
  } catch (refused) {
    const [problem] = refused instanceof ProblemError ? refused.problems : []
    if (problem === undefined) throw refused
    return { kind: 'refused' as const, problem }
  } finally {
    await desk.close()
  }
}
