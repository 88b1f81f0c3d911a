import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunId } from '../../../core/model/ids.ts'
import { ProblemError, problem, unwrap } from '../../../core/model/problem.ts'
import { runSummary } from '../../../core/views/run-summary.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { ExportHeader, RunExport } from '../../../ports/run-exports.ts'
import type { Store } from '../../../ports/store.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { refuse } from '../refusal.ts'
import { withLease } from '../repository/lease-here.ts'
import { SETTINGS_FILE, settingsText } from '../repository/open-repository.ts'
import { foldRun, openRun, readRuns } from '../repository/runs.ts'
import type { VerbContext } from '../verb.ts'
import { runNames } from './export.ts'

/** Imports exported runs into this repository, where an open one continues. */
export async function importRun(context: VerbContext, repository: Repository, folder: string): Promise<ExitCode> {
  const { world, output } = context
  const exported = unwrap(await (await repository.exports()).read(folder))
  const { header } = exported
  await refuseMissing(repository, header.commits, header.repository)
  await withLease(world, repository, 'import', async ({ store }) => {
    await refuseKnown(store, header)
    const summary = async (run: RunId) => runSummary(await foldRun(store, run))
    unwrap(await exported.importInto(store, summary))
    await exported.copyTranscripts(join(repository.stateFolder, 'transcripts'))
    // The newest run comes first: a line that exists stays where it is.
    for (const { target, line } of header.runs.toReversed()) {
      if (line !== null) unwrap(await repository.pinLine(target, line))
    }
  })
  const settings = await bringSettings(repository, exported)
  const runs = header.runs.map(({ run }) => run)
  output.json({ runs, files: header.files.length, settings })
  output.line(`Imported ${runNames(runs)}, exported at ${header.exportedAt}.`)
  output.line(SETTINGS_TEXTS[settings])
  output.line('Next: longhaul status, longhaul run')
  return EXIT.done
}

const SHOWN_MAX = 10

/** Refuses a run when the repository lacks commits that it needs; `from` is the repository that has them. */
export async function refuseMissing(
  repository: Repository,
  commits: ExportHeader['commits'],
  from: string,
): Promise<void> {
  const missing = new Set(unwrap(await repository.missingCommits(commits.map(({ commit }) => commit))))
  if (missing.size === 0) return
  const named = commits.filter(({ commit }) => missing.has(commit))
  const shown = named.slice(0, SHOWN_MAX).map(({ commit, what }) => `${commit} (${what})`)
  const more = named.length > SHOWN_MAX ? [`and ${named.length - SHOWN_MAX} more`] : []
  const hint = `Fetch them from the repository it comes from: git fetch ${quoted(from)} '+refs/longhaul/*:refs/longhaul/*' 'refs/heads/longhaul/*:refs/heads/longhaul/*'`
  const message = `This repository lacks commits that the run needs: ${[...shown, ...more].join(', ')}.`
  throw new ProblemError(problem({ code: 'commits-missing', message, hint, retry: 'person' }))
}

async function refuseKnown(store: Store, header: ExportHeader): Promise<void> {
  const runs = await readRuns(store)
  const known = new Set(runs.map(({ run }) => run))
  // An interrupted import of several runs has made some of them visible.
  if (header.runs.every(({ run }) => known.has(run))) {
    const names = runNames(header.runs.map(({ run }) => run))
    refuse('run-known', `All of the export is already in this repository: ${names}.`, 'See "longhaul status".')
  }
  const open = openRun(runs)
  if (open !== null && !header.runs.some(({ run }) => run === open.run)) {
    const message = `Run ${open.run} is open in this repository, and only one can be.`
    refuse('run-open', message, 'Finish it first ("longhaul run"), or import into another clone.')
  }
}

/** Writes the exported settings file, unless the repository has one. */
async function bringSettings(repository: Repository, { settings }: RunExport): Promise<keyof typeof SETTINGS_TEXTS> {
  const path = join(repository.root, SETTINGS_FILE)
  if (settings === null) return 'none'
  if (existsSync(path)) return (await settingsText(repository)) === settings ? 'same' : 'other'
  await writeFile(path, settings)
  return 'written'
}

const SETTINGS_TEXTS = {
  none: `The export has no ${SETTINGS_FILE}.`,
  same: `${SETTINGS_FILE} is the same as in the export.`,
  other: `${SETTINGS_FILE} differs from the export; it is unchanged, and applies from the next run on.`,
  written: `Wrote ${SETTINGS_FILE} from the export.`,
} as const

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
