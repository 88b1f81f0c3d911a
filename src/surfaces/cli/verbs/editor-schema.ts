import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Repository } from '../../../ports/repository.ts'
import { refuse } from '../refusal.ts'

const SCHEMA_FILE = 'settings.schema.json'
const USUAL_PATH = `.git/longhaul/${SCHEMA_FILE}`
const MODELINE = '# yaml-language-server: $schema='

/** The schema's copy for editors, and the line of a settings file that names it. */
export interface EditorSchema {
  readonly file: string
  readonly modeline: string
}

/** Where editors find the schema: in the state folder, so that nothing is fetched and nothing is committed. */
export function editorSchema({ root, stateFolder }: Pick<Repository, 'root' | 'stateFolder'>): EditorSchema {
  const file = join(stateFolder, SCHEMA_FILE)
  const path = relative(root, file)
  // The settings are committed: a linked worktree's way to the state is nobody else's, an ordinary clone's is.
  return { file, modeline: `${MODELINE}${path.startsWith('..') ? USUAL_PATH : path}` }
}

/** Writes the schema's copy for editors. */
export async function writeSchema(place: Repository): Promise<EditorSchema> {
  const found = editorSchema(place)
  try {
    await mkdir(place.stateFolder, { recursive: true })
    await writeFile(found.file, await schemaText())
    return found
  } catch (cause) {
    return refuse(
      'schema-unwritable',
      `${found.file} could not be written: ${String(cause)}`,
      'See that you may write there.',
    )
  }
}

/** Whether the copy is there and says what this version says. */
export async function isSchemaCurrent(place: Repository): Promise<boolean> {
  const text = await readFile(editorSchema(place).file, 'utf8').catch(() => null)
  return text === (await schemaText())
}

async function schemaText(): Promise<string> {
  const { jsonSchema } = await import('../../../config/schema.ts')
  return `${JSON.stringify(jsonSchema(), null, 2)}\n`
}
