import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Stack } from '../../config/find-stack.ts'
import { findPlace, SETTINGS_FILE } from './desk.ts'
import { EXIT } from './exit-codes.ts'
import { refuse } from './refusal.ts'
import type { Context, Verb } from './verb.ts'

/** `longhaul init`: writes a first longhaul.yaml. */
export const initVerb: Verb = {
  about:
    'Looks at what the repository is made with and writes a short longhaul.yaml with comments. Never overwrites one.',
  examples: ['longhaul init'],
  shape: (command) => void command.option('--json', 'print what was found as JSON'),
  async run(context) {
    const { root } = await findPlace(context)
    const { findStacks } = await import('../../config/find-stack.ts')
    const { exampleSettings } = await import('../../config/explain.ts')
    const files = await readdir(root)
    const stacks = findStacks(files, files.includes('package.json') ? await textOf(join(root, 'package.json')) : null)
    const path = join(root, SETTINGS_FILE)
    await writeNew(path, exampleSettings(stacks))
    tell(context, path, stacks)
    return EXIT.done
  },
}

async function textOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null)
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') {
      refuse(
        'settings-exist',
        `${path} is there already; it was left as it is.`,
        'Edit it, or move it away and run init again.',
      )
    }
    refuse('settings-unwritable', `${path} could not be written: ${String(cause)}`, 'See that you may write there.')
  }
}

function tell({ output }: Context, path: string, stacks: readonly Stack[]): void {
  const gates = stacks.flatMap((stack) => stack.gates.map(({ name, run }) => ({ name, run })))
  output.json({
    file: path,
    stacks: stacks.map(({ name }) => name),
    gates,
    setup: stacks.flatMap(({ setup }) => setup),
  })
  output.line(`Wrote ${path}.`)
  output.line(
    stacks.length === 0 ? 'No known stack was recognised.' : `Found: ${stacks.map(({ name }) => name).join(', ')}.`,
  )
  for (const { name, run } of gates) output.line(`  check ${name}: ${run}`)
  for (const command of stacks.flatMap(({ setup }) => setup)) output.line(`  setup: ${command}`)
  if (gates.length === 0) output.line('Write at least one check under "gates" before the first run.')
  output.line('Next: commit it, write tasks.yaml, then: longhaul import tasks.yaml && longhaul run')
}
