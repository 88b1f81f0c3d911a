import { existsSync } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Problem, problem } from '../../../core/model/problem.ts'
import type { ExportHeader, RunExport } from '../../../ports/run-exports.ts'
import { damaged, digestOf, EXPORT_VERSION, headerSchema, LAYOUT } from './layout.ts'
import { takeIn } from './take-in.ts'

/** Opens an export after comparing every file with its digest; a problem names the first that differs. */
export async function readExport(folder: string): Promise<RunExport | Problem> {
  const header = await readHeader(folder)
  if ('kind' in header) return header
  for (const { path, bytes, sha256 } of header.files) {
    const actual = await digestOf(join(folder, path)).catch(() => null)
    if (actual === null) return damaged(folder, `${path} is missing`)
    if (actual.sha256 !== sha256 || actual.bytes !== bytes) return damaged(folder, `${path} has been changed`)
  }
  const has = (path: string) => header.files.some((file) => file.path === path)
  return {
    header,
    settings: has(LAYOUT.settings) ? await readFile(join(folder, LAYOUT.settings), 'utf8') : null,
    importInto: (store, summary) => takeIn(folder, header, store, summary),
    async copyTranscripts(to) {
      const from = join(folder, LAYOUT.transcripts)
      if (existsSync(from)) await cp(from, to, { recursive: true, force: false })
    },
  }
}

async function readHeader(folder: string): Promise<ExportHeader | Problem> {
  const text = await readFile(join(folder, LAYOUT.header), 'utf8').catch(() => null)
  if (text === null) return notAnExport(folder)
  let written: unknown
  try {
    written = JSON.parse(text)
  } catch (cause) {
    return damaged(folder, `${LAYOUT.header} is no JSON`, cause)
  }
  const version = (written as { readonly version?: unknown } | null)?.version
  if (typeof version === 'number' && version > EXPORT_VERSION) return newer(folder, version)
  const parsed = headerSchema.safeParse(written)
  if (!parsed.success) return damaged(folder, `${LAYOUT.header} is not what an export begins with`, parsed.error)
  const { format: _, version: __, ...header } = parsed.data
  return header as unknown as ExportHeader
}

function notAnExport(folder: string): Problem {
  return problem({
    code: 'not-an-export',
    message: `${folder} holds no ${LAYOUT.header}, so it is not an exported run.`,
    hint: 'Give the folder that "longhaul export" wrote, or a task file.',
    retry: 'person',
  })
}

function newer(folder: string, version: number): Problem {
  return problem({
    code: 'export-newer',
    message: `The export ${folder} has version ${version}; this Longhaul reads up to ${EXPORT_VERSION}. Nothing was imported.`,
    hint: 'Install the Longhaul that wrote it, or a newer one, then import it again.',
    retry: 'person',
  })
}
