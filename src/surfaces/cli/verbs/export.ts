import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { AttemptState } from '../../../core/attempt/state.ts'
import { type AttemptId, attemptLedger, type RunId, runLedger } from '../../../core/model/ids.ts'
import { ProblemError, unwrap } from '../../../core/model/problem.ts'
import type { RunEvent } from '../../../core/model/run-event.ts'
import { requiredCommits } from '../../../core/run/required-commits.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { ExportOrder } from '../../../ports/run-exports.ts'
import type { Store } from '../../../ports/store.ts'
import { EXIT } from '../exit-codes.ts'
import { untilInterrupted } from '../interrupts.ts'
import { sizeText } from '../render/folder-size.ts'
import { noRun } from '../repository/ask-run.ts'
import { withLease } from '../repository/lease-here.ts'
import { findRepository, settingsText } from '../repository/open-repository.ts'
import { currentRun, foldAttempt, foldRun, readRuns } from '../repository/runs.ts'
import { argument, type Verb } from '../verb.ts'
import type { World } from '../world.ts'

/** `longhaul export`: writes a whole run as plain files. */
export const exportVerb: Verb = {
  about:
    'Writes the run as plain files into a new folder: its facts and those of its attempts as JSON lines, the texts they refer to, and the settings file. "longhaul import FOLDER" takes it into another clone, where it goes on. Commits travel by git; the import says which are missing. Ctrl-C calls it off and leaves nothing.',
  examples: ['longhaul export ../my-run', 'longhaul export ../my-run --transcripts --json'],
  shape: (command) =>
    void command
      .argument('<folder>', 'a folder that does not exist yet')
      .option('--transcripts', 'what agents were told and said, too')
      .option('--json', 'print what was written as JSON'),
  async run({ world, output }, given) {
    const place = await findRepository({ world })
    if (!place.hasState()) throw new ProblemError(noRun())
    const folder = resolve(world.folder, argument(given, 0))
    const { signal, close } = untilInterrupted(world)
    const { order, cutOff, written } = await withLease(world, place, 'export', async ({ store }) => {
      const made = await orderFor(world, place, store, given.options.transcripts === true, signal)
      return { ...made, written: await (await place.exports()).write(folder, made.order) }
    })
    close()
    if (signal.aborted) return EXIT.interrupted
    const header = unwrap(written)
    const bytes = header.files.reduce((sum, file) => sum + file.bytes, 0)
    output.json({ folder, run: header.run, files: header.files.length, bytes, ledgers: order.ledgers.length })
    output.line(
      `Run ${header.run} is in ${folder}: ${header.files.length} files, ${sizeText({ bytes, isPartial: false })}.`,
    )
    for (const attempt of cutOff) {
      output.remark(
        output.colors.yellow(
          `${attempt} was cut off: what its workspace holds besides its last checkpoint is not in the export. To have it saved first: longhaul run, then longhaul stop.`,
        ),
      )
    }
    output.line('In the other clone: longhaul import FOLDER (it says what to fetch).')
    return EXIT.done
  },
}

async function orderFor(
  world: World,
  place: Repository,
  store: Store,
  hasTranscripts: boolean,
  signal: AbortSignal,
): Promise<{ readonly order: ExportOrder; readonly cutOff: readonly AttemptId[] }> {
  const found = currentRun(await readRuns(store))
  if (found === null) throw new ProblemError(noRun())
  const run = await foldRun(store, found.run)
  const live = new Map<AttemptId, AttemptState>()
  for (const attempt of run.attempts.keys()) live.set(attempt, await foldAttempt(store, attempt))
  const attempts = await attemptsOf(store, found.run)
  const folders = attempts.map((attempt) => [attempt, join(place.stateFolder, 'transcripts', attempt)] as const)
  return {
    cutOff: [...live].flatMap(([attempt, { doing }]) => (doing.kind === 'round' ? [attempt] : [])),
    order: {
      store,
      ledgers: [runLedger(found.run), ...attempts.map(attemptLedger)],
      about: {
        run: found.run,
        target: run.target,
        repository: place.root,
        line: run.line?.line ?? null,
        exportedAt: new Date(world.clock.now()).toISOString(),
        commits: requiredCommits(run, [...live.values()]),
      },
      transcripts: new Map(hasTranscripts ? folders.filter(([, folder]) => existsSync(folder)) : []),
      settings: await settingsText(place),
      signal,
    },
  }
}

async function attemptsOf(store: Store, run: RunId): Promise<readonly AttemptId[]> {
  const attempts: AttemptId[] = []
  for await (const chunk of store.read(runLedger(run), 0)) {
    for (const recorded of chunk) {
      const event = recorded.event as RunEvent
      if (event.kind === 'attempt-started') attempts.push(event.attempt)
    }
  }
  return attempts
}
