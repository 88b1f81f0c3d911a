import { expect, test } from 'vitest'
import { openOutput } from './output.ts'
import type { World } from './world.ts'

const RED = '\u001b[31m'

test.each([
  ['a terminal', true, {}, true],
  ['a pipe', false, {}, false],
  ['a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
  ['a terminal with an empty NO_COLOR, which says nothing', true, { NO_COLOR: '' }, true],
  ['a terminal that knows none', true, { TERM: 'dumb' }, false],
])('colours on %s', (_, isTTY, environment, isColored) => {
  const stream = { isTTY, write: () => true, on: () => {} }
  const world = { stdout: stream, stderr: stream, environment } as unknown as World
  const { colors } = openOutput(world, false)
  expect(colors.red('bad').startsWith(RED)).toBe(isColored)
})
