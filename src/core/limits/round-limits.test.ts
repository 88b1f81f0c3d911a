import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TurnSettings } from '../model/settings.ts'
import { type Task, WEIGHTS } from '../model/task.ts'
import { roundTimeLimit, turnLimit } from './round-limits.ts'
import { withSample } from './samples.ts'

type Estimated = Pick<Task, 'title' | 'brief' | 'type' | 'weight' | 'files'>

const DEFAULT: TurnSettings = { preset: 'default', min: 15, max: 150, retries: 1, multiplier: 2 }
const LEAN: TurnSettings = { ...DEFAULT, preset: 'lean', min: 3, max: 30 }

function task(changes: Partial<Estimated> = {}): Estimated {
  return { title: 'Fix the greeting', brief: '', type: null, weight: 'small', files: [], ...changes }
}

describe('turns of a round', () => {
  test.each([
    ['no type', {}, 10],
    ['a small type', { type: 'documentation' }, 3],
    ['an unknown type', { type: 'magic' }, 10],
    ['a type that needs many', { type: 'debugging' }, 20],
    ['a type that needs few, in a hard task', { type: 'planning', brief: 'Refactor the system' }, 12],
    ['words only as whole words', { type: 'planning', brief: 'refactoring allows fullness' }, 5],
    ['one hard word', { type: 'documentation', brief: 'Implement it' }, 6],
    ['a wide word', { type: 'planning', brief: 'throughout' }, 12],
    ['two wide words', { type: 'planning', brief: 'across the repository' }, 20],
    ['many files', { type: 'planning', files: ['a', 'b', 'c', 'd'] }, 12],
    ['many lines', { type: 'planning', brief: 'about 800 lines' }, 20],
    ['its weight', { type: 'planning', weight: 'greenfield' as const }, 20],
  ])('%s: %j', (_what, changes, lean) => {
    expect(turnLimit(task(changes), LEAN, []).turns).toBe(lean)
    expect(turnLimit(task(changes), DEFAULT, []).turns).toBe(lean * 5)
  })

  test('stay within the bounds, and say so', () => {
    expect(turnLimit(task({ type: 'debugging' }), { ...DEFAULT, max: 60 }, [])).toEqual({
      turns: 60,
      why: 'limit for weight small, type debugging, kept within 15 to 60',
    })
  })

  test('are learned from five tasks of the kind', () => {
    const samples = [10, 20, 30, 40, 50].map((turns) => ({ turns, ms: 1 }))
    expect(turnLimit(task({ type: 'testing' }), DEFAULT, samples.slice(1)).why).toBe(
      'limit for weight small, type testing',
    )
    expect(turnLimit(task({ type: 'testing' }), DEFAULT, samples)).toEqual({
      turns: 75,
      why: '5 landed tasks of the kind testing needed up to 50 turns (90th percentile), times 1.5',
    })
  })

  test('are never fewer for more words, files or lines', () => {
    const words = fc.constantFrom(
      'all',
      'across',
      'repository',
      'implement',
      'migrate',
      'the',
      'codebase',
      '700 lines',
      'x',
    )
    const texts = fc.array(words, { maxLength: 8 })
    const files = fc.array(fc.constant('file'), { maxLength: 12 })
    const type = fc.constantFrom(null, 'planning', 'debugging', 'other')
    const any = {
      texts,
      more: texts,
      at: fc.nat(8),
      files,
      moreFiles: files,
      type,
      weight: fc.constantFrom(...WEIGHTS),
    }
    fc.assert(
      fc.property(fc.record(any), ({ texts: few, more, at, files: some, moreFiles, type: kind, weight }) => {
        const small = task({ brief: few.join(' '), files: some, type: kind, weight })
        const large = { ...small, brief: few.toSpliced(at, 0, ...more).join(' '), files: [...some, ...moreFiles] }
        for (const settings of [DEFAULT, LEAN]) {
          expect(turnLimit(large, settings, []).turns).toBeGreaterThanOrEqual(turnLimit(small, settings, []).turns)
        }
      }),
    )
  })
})

test.each([
  ['too few samples', [1, 1, 1, 1], 7_200_000, 'time.response'],
  ['short rounds so far', [1, 1, 1, 1, 10], 1_800_000, '3 times what 5'],
  ['very short rounds so far', [1, 1, 1, 1, 1], 900_000, '3 times what 5'],
  ['long rounds so far', [100, 100, 100, 100, 100], 7_200_000, 'time.response'],
])('the time limit of a round: %s', (_what, minutes, ms, why) => {
  const limit = roundTimeLimit(
    7_200_000,
    minutes.map((took) => ({ turns: 1, ms: took * 60_000 })),
  )
  expect(limit).toEqual({ ms, why: expect.stringContaining(why) })
})

test('only the newest fifty samples of a kind are kept', () => {
  let samples = {}
  for (let turns = 1; turns <= 60; turns += 1) samples = withSample(samples, 'testing', { turns, ms: 0 })
  expect(Object.values(samples).flat()).toHaveLength(50)
})
