import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'docs/decisions')
const files = readdirSync(folder).toSorted()
const LINES_MAX = 60

describe('decisions', () => {
  test('are numbered without gaps', () => {
    expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, index) => index + 1))
  })

  test.each(files)('%s has the one form', (name) => {
    const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')
    expect(lines[0]).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. \\S`))
    expect(lines.filter((line) => line.startsWith('## '))).toEqual(['## Context', '## Decision', '## Consequences'])
    expect(lines.length).toBeLessThanOrEqual(LINES_MAX)
  })

  test.each(files)('%s refers to decisions that exist', (name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    const numbers = [...text.matchAll(/\bdecision (\d+)/g)].map(([, number]) => Number(number))
    expect(numbers.filter((number) => number < 1 || number > files.length)).toEqual([])
  })

  test.each(files)('%s names files that exist', (name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    const paths = [...text.matchAll(/`((?:[a-z-]+\/)+[a-z-]+(?:\.test)?\.ts)`/g)].map(([, path = '']) => path)
    expect(paths.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, 'src', path)))).toEqual([])
  })
})
