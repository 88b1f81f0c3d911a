import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesUnder, root } from './source.ts'

const PATH_FILES_MAX = 16
const PATH_LINES_MAX = 2_200

describe('ARCHITECTURE.md', () => {
  const text = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8')

  test('fits 200 lines', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(200)
  })

  test('names only files that exist', () => {
    expect(missingFiles(text)).toEqual([])
  })

  test('has a reading path that takes an evening', () => {
    const rows = text.slice(text.indexOf('## Reading path'), text.indexOf('## Invariants'))
    const files = [...rows.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file = '']) => join(root, 'src', file))
    const lines = files.map((file) => readFileSync(file, 'utf8').trimEnd().split('\n').length)
    expect(files.length).toBeLessThanOrEqual(PATH_FILES_MAX)
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(PATH_LINES_MAX)
  })
})

test('a file that does not exist is noticed', () => {
  expect(missingFiles('see `engine/no-such.ts`, `core/*/evolve.ts` and `decide`')).toEqual(['engine/no-such.ts'])
})

/** Lists paths in backticks that are neither in src nor in test; a bare file name may be in any folder. */
function missingFiles(text: string): readonly string[] {
  const names = ['src', 'test'].flatMap(filesUnder)
  const paths = [...text.matchAll(/`([\w./-]+\.ts)`/g)].map(([, path = '']) => path)
  return paths.filter((path) => {
    const isThere = ['', 'src', 'test'].some((folder) => existsSync(join(root, folder, path)))
    return !isThere && !names.some((name) => name.endsWith(`/${path}`))
  })
}
