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
import { missingRun, noRun } from '../repository/ask-run.ts'
import { withLease } from '../repository/lease-here.ts'
import { findRepository, settingsText } from '../repository/open-repository.ts'
import { currentRun, foldAttempt, foldRun, readRuns } from '../repository/runs.ts'
import { argument, type Verb } from '../verb.ts'
import type { World } from '../world.ts'

/** `longhaul export`: writes a whole run as plain files. */
export const exportVerb: Verb = {
  about:
    'Writes the run as plain files into a new folder: its events and those of its attempts as JSON lines, the texts they refer to, and the settings file. "longhaul import FOLDER" imports it into another clone, where it continues. Commits are transferred by git; the import says which ones are missing. Ctrl-C cancels the export and leaves nothing behind.',
  examples: ['longhaul export ../my-run', 'longhaul export ../my-run --transcripts --json'],
  shape: (command) =>
    void command
      .argument('<folder>', 'a folder that does not exist yet')
      .option('--transcripts', 'also export what was sent to agents and what they said')
      .option('--json', 'print what was written as JSON'),
  async run({ world, output }, typed) {
    const repository = await findRepository({ world })
    if (!repository.hasState()) throw new ProblemError(await missingRun(repository))
    const folder = resolve(world.folder, argument(typed, 0))
    const { signal, close } = untilInterrupted(world)
    const { order, cutOff, written } = await withLease(world, repository, 'export', async ({ store }) => {
      const plan = await planFor(world, repository, store, typed.options.transcripts === true, signal)
      return { ...plan, written: await (await repository.exports()).write(folder, plan.order) }
    })
    close()
    if (signal.aborted) return EXIT.interrupted
    const header = unwrap(written)
    const bytes = header.files.reduce((sum, file) => sum + file.bytes, 0)
    output.json({ folder, run: header.run, files: header.files.length, bytes, ledgers: order.ledgers.length })
    output.line(
      `Exported run ${header.run} to ${folder}: ${header.files.length} files, ${sizeText({ bytes, isPartial: false })}.`,
    )
    for (const attempt of cutOff) {
      output.remark(
        output.colors.yellow(
          `${attempt} was interrupted: changes in its workspace since its last checkpoint are not in the export. To save them first: longhaul run, then longhaul stop.`,
        ),
      )
    }
    output.line('Next, in the other clone: longhaul import FOLDER (it says what to fetch).')
    return EXIT.done
  },
}

async function planFor(
  world: World,
  repository: Repository,
  store: Store,
  hasTranscripts: boolean,
  signal: AbortSignal,
): Promise<{ readonly order: ExportOrder; readonly cutOff: readonly AttemptId[] }> {
  const current = currentRun(await readRuns(store))
  if (current === null) throw new ProblemError(noRun())
  const run = await foldRun(store, current.run)
  const live = new Map<AttemptId, AttemptState>()
  for (const attempt of run.attempts.keys()) live.set(attempt, await foldAttempt(store, attempt))
  const attempts = await attemptsOf(store, current.run)
  const folders = attempts.map((attempt) => [attempt, join(repository.stateFolder, 'transcripts', attempt)] as const)
  return {
    cutOff: [...live].flatMap(([attempt, { doing }]) => (doing.kind === 'round' ? [attempt] : [])),
    order: {
      store,
      ledgers: [runLedger(current.run), ...attempts.map(attemptLedger)],
      about: {
        run: current.run,
        target: run.target,
        repository: repository.root,
        line: run.line?.line ?? null,
        exportedAt: new Date(world.clock.now()).toISOString(),
        commits: requiredCommits(run, [...live.values()]),
      },
      transcripts: new Map(hasTranscripts ? folders.filter(([, folder]) => existsSync(folder)) : []),
      settings: await settingsText(repository),
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
