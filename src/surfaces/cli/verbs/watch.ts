import type { RequestId, RunId } from '../../../core/model/ids.ts'
import type { Request } from '../../../core/model/input.ts'
import { RUN_PURPOSE } from '../../../core/model/lease.ts'
import { ProblemError, unwrap } from '../../../core/model/problem.ts'
import type { Repository, State } from '../../../ports/repository.ts'
import { EXIT } from '../exit-codes.ts'
import { followLines } from '../live/follow-lines.ts'
import { viewTerminal } from '../live/run-output.ts'
import { askEngine, askRun, missingRun, noRun } from '../repository/ask-run.ts'
import { findRepository, openRepositoryFor } from '../repository/open-repository.ts'
import { currentRun, readRuns } from '../repository/runs.ts'
import type { Terminal } from '../terminal.ts'
import type { Verb, VerbContext } from '../verb.ts'

/** `longhaul watch`: follows a run from another terminal. */
export const watchVerb: Verb = {
  about:
    'Follows the run live, whichever process drives it: tasks by state, what each attempt is doing, context, turns, cost, limits and what is next. Leaving the view does not affect the run. In a pipe, or with --plain, prints new events line by line. If a kill -9 leaves the terminal garbled, "reset" fixes it.',
  examples: ['longhaul watch', 'longhaul watch --plain | tee run.log'],
  shape: (command) =>
    void command
      .option('--plain', 'print lines instead of the live view')
      .option('--json', 'print events as JSON lines'),
  async run(context, typed) {
    const repository = await findRepository(context)
    if (!repository.hasState()) throw new ProblemError(await missingRun(repository))
    const state = unwrap(await repository.readState())
    const current = currentRun(await readRuns(state.store))
    if (current === null) throw new ProblemError(noRun())
    const terminal = viewTerminal(context, typed)
    if (terminal === null) await followLines(context, repository, state, current.run)
    else await watchScreen(context, { repository, state, run: current.run, terminal })
    await state.store.close()
    return EXIT.done
  },
}

interface WatchedRun {
  readonly repository: Repository
  readonly state: State
  readonly run: RunId
  readonly terminal: Terminal
}

async function watchScreen(context: VerbContext, { repository, state, run, terminal }: WatchedRun): Promise<void> {
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
    repository,
    state,
    run,
    seat: 'watch',
    isDriven: async () => (await state.leases.holder())?.purpose === RUN_PURPOSE,
    newestRun: async () => currentRun(await readRuns(state.store))?.run ?? run,
    ask: async (request) => answerText(request, await sendRequest(context, repository, state, request)),
    interrupted: leave,
    left: leave,
  })
  const unwatch = state.store.watch(() => view.wake())
  try {
    await left
  } finally {
    unwatch()
    view.close()
    for (const stopListening of signals) stopListening()
  }
}

/** Sends a request to the running engine; without one, records it here. */
async function sendRequest({ world }: VerbContext, repository: Repository, state: State, request: Request) {
  if ((await state.leases.holder()) !== null) {
    return askEngine({ world, state }, request, world.clock.uuid() as RequestId)
  }
  const open = await openRepositoryFor(world, repository, 'neither')
  try {
    const { counts } = await askRun(open, { purpose: request.kind, request, opening: null })
    return { kind: 'accepted' as const, counts }
  } catch (refused) {
    const [problem] = refused instanceof ProblemError ? refused.problems : []
    if (problem === undefined) throw refused
    return { kind: 'refused' as const, problem }
  } finally {
    await open.close()
  }
}
