import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { AttemptState } from '../../../core/attempt/state.ts'
import { type AttemptId, attemptLedger, type RunId, runLedger } from '../../../core/model/ids.ts'
import { ProblemError, unwrap } from '../../../core/model/problem.ts'
import type { RunEvent } from '../../../core/model/run-event.ts'
import { requiredCommits } from '../../../core/run/required-commits.ts'
import type { RunState } from '../../../core/run/state.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { ExportOrder } from '../../../ports/run-exports.ts'
import type { Store } from '../../../ports/store.ts'
import { EXIT } from '../exit-codes.ts'
import { untilInterrupted } from '../interrupts.ts'
import { sizeText } from '../render/folder-size.ts'
import { missingRun } from '../repository/ask-run.ts'
import { withLease } from '../repository/lease-here.ts'
import { findRepository, settingsText } from '../repository/open-repository.ts'
import { foldAttempt, foldRun, readRuns } from '../repository/runs.ts'
import { argument, type Verb } from '../verb.ts'
import type { World } from '../world.ts'
import { chooseRuns, runChoiceOf } from './choose-runs.ts'

/** `longhaul export`: writes whole runs as plain files. */
export const exportVerb: Verb = {
  about:
    'Writes the current run, or others, as plain files into a new folder: the events of runs and their attempts as JSON lines, the texts they refer to, and the settings file. "longhaul import FOLDER" imports them into another clone, where an open run continues. Commits are transferred by git; the import says which ones are missing. Ctrl-C cancels the export and leaves nothing behind.',
  examples: [
    'longhaul export ../my-run',
    'longhaul export ../all-runs --all',
    'longhaul export ../my-run --transcripts --json',
  ],
  shape: (command) =>
    void command
      .argument('<folder>', 'a folder that does not exist yet')
      .option('--run <id>', 'export this run instead of the current one')
      .option('--all', 'export all runs of the repository')
      .option('--transcripts', 'also export what was sent to agents and what they said')
      .option('--json', 'print what was written as JSON'),
  async run({ world, output }, typed) {
    const repository = await findRepository({ world })
    if (!repository.hasState()) throw new ProblemError(await missingRun(repository))
    const folder = resolve(world.folder, argument(typed, 0))
    const choice = unwrap(runChoiceOf(typed.options))
    const { signal, close } = untilInterrupted(world)
    const { order, cutOff, written } = await withLease(world, repository, 'export', async ({ store }) => {
      const runs = unwrap(chooseRuns(await readRuns(store), choice))
      const parts: RunPart[] = []
      for (const { run } of runs) parts.push(await partOf(store, run))
      const plan = await planFor(world, repository, store, parts, typed.options.transcripts === true, signal)
      return { ...plan, written: await (await repository.exports()).write(folder, plan.order) }
    })
    close()
    if (signal.aborted) return EXIT.interrupted
    const header = unwrap(written)
    const bytes = header.files.reduce((sum, file) => sum + file.bytes, 0)
    const runs = header.runs.map(({ run }) => run)
    output.json({ folder, runs, files: header.files.length, bytes, ledgers: order.ledgers.length })
    const size = `${header.files.length} files, ${sizeText({ bytes, isPartial: false })}`
    output.line(`Exported ${runNames(runs)} to ${folder}: ${size}.`)
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

/** Names a few runs, or counts many. */
export function runNames(runs: readonly RunId[]): string {
  return runs.length === 1 ? `run ${runs[0]}` : `${runs.length} runs`
}

/** Everything that an export needs to know about one run. */
interface RunPart {
  readonly id: RunId
  readonly run: RunState
  readonly live: ReadonlyMap<AttemptId, AttemptState>
  readonly attempts: readonly AttemptId[]
}

async function partOf(store: Store, id: RunId): Promise<RunPart> {
  const run = await foldRun(store, id)
  const live = new Map<AttemptId, AttemptState>()
  for (const attempt of run.attempts.keys()) live.set(attempt, await foldAttempt(store, attempt))
  return { id, run, live, attempts: await attemptsOf(store, id) }
}

async function planFor(
  world: World,
  repository: Repository,
  store: Store,
  parts: readonly RunPart[],
  hasTranscripts: boolean,
  signal: AbortSignal,
): Promise<{ readonly order: ExportOrder; readonly cutOff: readonly AttemptId[] }> {
  const folders = parts
    .flatMap(({ attempts }) => attempts)
    .map((attempt) => [attempt, join(repository.stateFolder, 'transcripts', attempt)] as const)
  const commits = parts.flatMap(({ run, live }) => requiredCommits(run, [...live.values()]))
  return {
    cutOff: parts.flatMap(({ live }) =>
      [...live].flatMap(([attempt, { doing }]) => (doing.kind === 'round' ? [attempt] : [])),
    ),
    order: {
      store,
      ledgers: parts.flatMap(({ id, attempts }) => [runLedger(id), ...attempts.map(attemptLedger)]),
      about: {
        runs: parts.map(({ id, run }) => ({ run: id, target: run.target, line: run.line?.line ?? null })),
        repository: repository.root,
        exportedAt: new Date(world.clock.now()).toISOString(),
        // Runs share commits, such as those of the landing line.
        commits: [...new Map(commits.map((one) => [one.commit, one])).values()],
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
