import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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

/** Takes an exported run into this repository, where it goes on. */
export async function importRun(context: VerbContext, place: Repository, folder: string): Promise<ExitCode> {
  const { world, output } = context
  const exported = unwrap(await (await place.exports()).read(folder))
  const { header } = exported
  await refuseMissing(place, header)
  await withLease(world, place, 'import', async ({ store }) => {
    await refuseKnown(store, header)
    const summary = async () => runSummary(await foldRun(store, header.run))
    unwrap(await exported.importInto(store, summary))
    await exported.copyTranscripts(join(place.stateFolder, 'transcripts'))
    if (header.line !== null) unwrap(await place.pinLine(header.target, header.line))
  })
  const settings = await bringSettings(place, exported)
  output.json({ run: header.run, files: header.files.length, settings })
  output.line(`Run ${header.run} is here, as it was exported at ${header.exportedAt}.`)
  output.line(SETTINGS_TOLD[settings])
  output.line('Next: longhaul status, longhaul run')
  return EXIT.done
}

const SHOWN_MAX = 10

async function refuseMissing(place: Repository, { commits, repository }: ExportHeader): Promise<void> {
  const missing = new Set(unwrap(await place.missingCommits(commits.map(({ commit }) => commit))))
  if (missing.size === 0) return
  const named = commits.filter(({ commit }) => missing.has(commit))
  const shown = named.slice(0, SHOWN_MAX).map(({ commit, what }) => `${commit} (${what})`)
  const more = named.length > SHOWN_MAX ? [`and ${named.length - SHOWN_MAX} more`] : []
  const hint = `Fetch them from where it was exported: git fetch ${quoted(repository)} '+refs/longhaul/*:refs/longhaul/*' 'refs/heads/longhaul/*:refs/heads/longhaul/*'`
  const message = `This repository lacks commits that the run builds on: ${[...shown, ...more].join(', ')}.`
  throw new ProblemError(problem({ code: 'commits-missing', message, hint, retry: 'person' }))
}

async function refuseKnown(store: Store, { run }: ExportHeader): Promise<void> {
  const runs = await readRuns(store)
  if (runs.some((known) => known.run === run)) {
    refuse('run-known', `Run ${run} is in this repository already.`, 'See "longhaul status".')
  }
  const open = openRun(runs)
  if (open !== null) {
    const message = `Run ${open.run} is open in this repository, and there can be only one.`
    refuse('run-open', message, 'Let it end first ("longhaul run"), or import into another clone.')
  }
}

/** The file of a repository that has one stays as it is. */
async function bringSettings(place: Repository, { settings }: RunExport): Promise<keyof typeof SETTINGS_TOLD> {
  const path = join(place.root, SETTINGS_FILE)
  if (settings === null) return 'none'
  if (existsSync(path)) return (await settingsText(place)) === settings ? 'same' : 'other'
  await writeFile(path, settings)
  return 'written'
}

const SETTINGS_TOLD = {
  none: `There was no ${SETTINGS_FILE} where it comes from.`,
  same: `${SETTINGS_FILE} is the same as where it comes from.`,
  other: `${SETTINGS_FILE} here is another than where it comes from; it stays, and counts from the next run on.`,
  written: `${SETTINGS_FILE} was not here and is now.`,
} as const

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
