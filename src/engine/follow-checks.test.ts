import { expect, test } from 'vitest'
import { parseShell } from '../adapters/gates/parse-shell.ts'
import { type FileSource, followChecks } from './follow-checks.ts'

/** Returns a source of files, and the paths that were read, round by round. */
function sourceOf(files: Readonly<Record<string, string>>): { readonly source: FileSource; readonly read: string[][] } {
  const read: string[][] = []
  const source: FileSource = {
    files: async () => new Map(Object.keys(files).map((path) => [path, `id of ${path}`])),
    read: async (paths) => {
      read.push([...paths])
      return new Map(paths.flatMap((path) => (files[path] === undefined ? [] : [[path, files[path]]])))
    },
  }
  return { source, read }
}

test('files are read in rounds, each leading one file further, and others not at all', async () => {
  const { source, read } = sourceOf({
    'check.sh': '. ./lib.sh',
    'lib.sh': 'make verify',
    Makefile: 'verify:\n\ttrue\n',
    'src/a.ts': 'a',
  })
  const definitions = await followChecks(source, [{ name: 'tests', run: './check.sh' }], parseShell)
  expect(definitions.get('tests')?.parts.map(({ what }) => what)).toEqual([
    'its command',
    'check.sh',
    'lib.sh',
    'verify in Makefile',
  ])
  expect(read).toEqual([['check.sh'], ['lib.sh'], ['Makefile']])
})

test('a file that cannot be read counts by its id, and is asked for once', async () => {
  const { source, read } = sourceOf({ 'check.sh': 'a' })
  const unreadable: FileSource = {
    ...source,
    async read(paths) {
      await source.read(paths)
      return new Map()
    },
  }
  const definitions = await followChecks(unreadable, [{ name: 'tests', run: './check.sh' }], parseShell)
  expect(definitions.get('tests')?.parts.at(-1)).toEqual({
    what: 'check.sh',
    file: 'check.sh',
    digest: 'id of check.sh',
  })
  expect(read).toEqual([['check.sh']])
})
