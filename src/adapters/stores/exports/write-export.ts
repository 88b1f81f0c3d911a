import { createWriteStream, existsSync, readdirSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Problem, problem } from '../../../core/model/problem.ts'
import type { ExportHeader, ExportOrder } from '../../../ports/run-exports.ts'
import { makeFolder } from '../make-folder.ts'
import { FACT_VERSION } from '../upcast.ts'
import { whyUnwritable } from '../why-unwritable.ts'
import { digestOf, EXPORT_VERSION, LAYOUT } from './layout.ts'

/** Writes runs as plain files; the folder appears only when it is complete. */
export async function writeExport(folder: string, order: ExportOrder): Promise<ExportHeader | Problem> {
  if (existsSync(folder) && !isEmptyFolder(folder)) return taken(folder)
  let partial: string | null = null
  try {
    await makeFolder(dirname(folder))
    partial = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`))
    const header = await writeFiles(partial, order)
    if (existsSync(folder)) await rmdir(folder)
    await rename(partial, folder)
    return header
  } catch (cause) {
    if (partial !== null) await rm(partial, { recursive: true, force: true })
    return unwritable(folder, cause)
  }
}

async function writeFiles(folder: string, order: ExportOrder): Promise<ExportHeader> {
  const { about, settings, transcripts, signal } = order
  const paths: string[] = [LAYOUT.facts]
  const digests = new Set<string>()
  await pipeline(factLines(order, digests), createWriteStream(join(folder, LAYOUT.facts)))
  paths.push(...(await writeBlobs(folder, order, digests)))
  if (settings !== null) {
    await writeFile(join(folder, LAYOUT.settings), settings)
    paths.push(LAYOUT.settings)
  }
  for (const [name, from] of transcripts) {
    const to = `${LAYOUT.transcripts}/${name}`
    signal.throwIfAborted()
    await cp(from, join(folder, to), { recursive: true })
    paths.push(...readdirSync(join(folder, to)).map((file) => `${to}/${file}`))
  }
  const files = await Promise.all(paths.map(async (path) => ({ path, ...(await digestOf(join(folder, path))) })))
  const header = { ...about, files }
  const written = { format: 'longhaul-export', version: EXPORT_VERSION, ...header }
  await writeFile(join(folder, LAYOUT.header), `${JSON.stringify(written, null, 2)}\n`)
  return header
}

/** Writes the facts of all ledgers in recorded order, and collects everything that may be the digest of a text. */
async function* factLines({ store, ledgers, signal }: ExportOrder, digests: Set<string>): AsyncGenerator<string> {
  for await (const chunk of store.readAll(0, { ledgers })) {
    signal.throwIfAborted()
    for (const { ledger, seq, at, event } of chunk) {
      const line = JSON.stringify({ ledger, seq, at, version: FACT_VERSION, event })
      for (const [digest] of line.matchAll(/\b[0-9a-f]{64}\b/g)) digests.add(digest)
      yield `${line}\n`
    }
  }
}

async function writeBlobs(
  folder: string,
  { store, signal }: ExportOrder,
  digests: ReadonlySet<string>,
): Promise<readonly string[]> {
  await mkdir(join(folder, LAYOUT.blobs))
  const paths: string[] = []
  for (const digest of digests) {
    signal.throwIfAborted()
    const text = await store.blob(digest)
    if (text === null) continue
    const path = `${LAYOUT.blobs}/${digest}.txt`
    await writeFile(join(folder, path), text)
    paths.push(path)
  }
  return paths
}

function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0
  } catch {
    return false // a file
  }
}

function taken(folder: string): Problem {
  return problem({
    code: 'export-exists',
    message: `Nothing was exported: ${folder} exists already.`,
    hint: 'Give a folder that does not exist yet.',
    retry: 'person',
  })
}

function unwritable(folder: string, cause: unknown): Problem {
  return problem({
    code: 'export-unwritable',
    message: `The export could not be written to ${folder}: ${whyUnwritable(cause)}.`,
    hint: 'Give a folder on a disk that is writable and has room. Nothing of this export was kept.',
    retry: 'person',
    cause,
  })
}
