import { expect, test } from 'vitest'
import { Snapshot } from './snapshot.ts'

const FILES = ['p/z.ts', 'p-q/a.ts', 'p.ts', 'p/a.ts', 'p/b/c.ts', 'p/b/c.md', 'p0/a.ts', 'a.ts', 'q/p/a.ts']

test.each([
  ['', ['a.ts', 'p-q/a.ts', 'p.ts', 'p/a.ts', 'p/b/c.ts', 'p/z.ts', 'p0/a.ts', 'q/p/a.ts']],
  ['p', ['p/a.ts', 'p/b/c.ts', 'p/z.ts']],
  ['p/b', ['p/b/c.ts']],
  ['q', ['q/p/a.ts']],
  ['r', []],
])('files that match below "%s"', (folder, paths) => {
  const snapshot = new Snapshot(new Map(FILES.map((path) => [path, path])))
  expect(snapshot.matching(folder, /\.ts$/)).toEqual(paths)
})
