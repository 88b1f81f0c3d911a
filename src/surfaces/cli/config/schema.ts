import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { unwritableReason } from '../../../core/reading/file-problems.ts'
import type { Repository } from '../../../ports/repository.ts'
import { EXIT } from '../exit-codes.ts'
import { refuse } from '../refusal.ts'
import { findRepository } from '../repository/open-repository.ts'
import type { Verb } from '../verb.ts'

/** `longhaul config schema`: prints or writes the schema of longhaul.yaml. */
export const schemaVerb: Verb = {
  about:
    'Prints the JSON Schema of longhaul.yaml. With --write, saves it where the first line of a longhaul.yaml from "longhaul init" points editors; needs no network.',
  examples: ['longhaul config schema', 'longhaul config schema --write'],
  shape: (command) =>
    void command
      .option('--write', "save it in the repository's state folder, for editors")
      .option('--json', 'no difference: the output is JSON anyway'),
  async run(context, { options }) {
    const { output } = context
    if (options.write !== true) {
      const { jsonSchema } = await import('../../../config/schema.ts')
      output.json(jsonSchema())
      output.line(JSON.stringify(jsonSchema(), null, 2))
      return EXIT.done
    }
    const { file, modeline } = await writeSchema(await findRepository(context))
    output.json({ file, modeline })
    output.line(`Wrote ${file}.`)
    output.line(`Editors use it if longhaul.yaml starts with: ${modeline}`)
    return EXIT.done
  },
}

const SCHEMA_FILE = 'settings.schema.json'
const USUAL_PATH = `.git/longhaul/${SCHEMA_FILE}`
const MODELINE = '# yaml-language-server: $schema='

/** Editors' copy of the schema, and the line of a settings file that points to it. */
export interface EditorSchema {
  readonly file: string
  readonly modeline: string
}

/** Locates the editors' copy: in the state folder, so that nothing is fetched or committed. */
export function editorSchema({ root, stateFolder }: Pick<Repository, 'root' | 'stateFolder'>): EditorSchema {
  const file = join(stateFolder, SCHEMA_FILE)
  const path = relative(root, file)
  // The settings file is committed: a linked worktree's relative path would be wrong in every other checkout.
  return { file, modeline: `${MODELINE}${path.startsWith('..') ? USUAL_PATH : path}` }
}

/** Writes the editors' copy of the schema. */
export async function writeSchema(repository: Repository): Promise<EditorSchema> {
  const schema = editorSchema(repository)
  try {
    await mkdir(repository.stateFolder, { recursive: true })
    await writeFile(schema.file, await schemaText())
    return schema
  } catch (cause) {
    const message = `${schema.file} could not be written: ${unwritableReason(cause)}.`
    return refuse('schema-unwritable', message, 'Make sure that you may write there.')
  }
}

/** True when the editors' copy exists and is of this version. */
export async function isSchemaCurrent(repository: Repository): Promise<boolean> {
  const text = await readFile(editorSchema(repository).file, 'utf8').catch(() => null)
  return text === (await schemaText())
}

async function schemaText(): Promise<string> {
  const { jsonSchema } = await import('../../../config/schema.ts')
  return `${JSON.stringify(jsonSchema(), null, 2)}\n`
}
