import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MilestoneId, TaskId } from '../model/ids.ts'
import type { Backlog, Milestone, Task } from '../model/task.ts'
import { backlogFaultText } from './backlog-fault-text.ts'
import { checkBacklog } from './check-backlog.ts'

const NOTHING_KNOWN = { tasks: new Set<string>(), milestones: new Set<string>() }

describe('a valid backlog', () => {
  test('may depend on existing tasks and milestones', () => {
    const backlog = { milestones: [milestone('m2', ['m1'])], tasks: [task('b', ['a'], 'm1'), task('c', ['b'], 'm2')] }
    expect(checkBacklog(backlog, { tasks: new Set(['a']), milestones: new Set(['m1']) })).toEqual([])
  })

  test('may repeat a known task, which changes it', () => {
    expect(checkBacklog(tasksOnly(task('a')), { ...NOTHING_KNOWN, tasks: new Set(['a']) })).toEqual([])
  })

  test('may have a chain of 10,000 tasks, and one task after 10,000 others', () => {
    const chain = numbered(10_000, (n) => task(`t${n}`, n === 0 ? [] : [`t${n - 1}`]))
    const last = task(
      'last',
      numbered(10_000, (n) => `t${n}`),
    )
    expect(checkBacklog(tasksOnly(...chain, last), NOTHING_KNOWN)).toEqual([])
  })

  test('may have later milestones start immediately', () => {
    const milestones = [milestone('m1'), milestone('m2', [])]
    expect(checkBacklog({ milestones, tasks: [task('a', ['b'], 'm1'), task('b', [], 'm2')] }, NOTHING_KNOWN)).toEqual(
      [],
    )
  })
})

describe('a fault', () => {
  test.each(['', 'a b', 'a/b', 'ü', '.', '..', 'x'.repeat(65)])('is the id %j', (id) => {
    expect(checkBacklog(tasksOnly(task(id)), NOTHING_KNOWN)).toEqual([
      { kind: 'invalid-id', at: { list: 'tasks', index: 0, path: ['id'] }, id },
    ])
  })

  test('is a duplicate id, and one that differs only in case', () => {
    const backlog = {
      milestones: [milestone('m'), milestone('m', [])],
      tasks: [task('a'), task('b'), task('a'), task('B')],
    }
    expect(checkBacklog(backlog, { ...NOTHING_KNOWN, tasks: new Set(['A']) })).toEqual([
      { kind: 'duplicate', at: { list: 'milestones', index: 1, path: ['id'] }, id: 'm', first: 0 },
      { kind: 'same-letters', at: { list: 'tasks', index: 0, path: ['id'] }, id: 'a', other: 'A' },
      { kind: 'duplicate', at: { list: 'tasks', index: 2, path: ['id'] }, id: 'a', first: 0 },
      { kind: 'same-letters', at: { list: 'tasks', index: 3, path: ['id'] }, id: 'B', other: 'b' },
    ])
  })

  test('is a dependency on itself, or on something unknown', () => {
    const backlog = { milestones: [milestone('m', ['m', 'n'])], tasks: [task('a', ['b', 'a'], 'o')] }
    expect(checkBacklog(backlog, NOTHING_KNOWN)).toEqual([
      { kind: 'itself', at: { list: 'milestones', index: 0, path: ['after', 0] }, id: 'm' },
      unknown({ list: 'milestones', index: 0, path: ['after', 1] }, 'm', 'milestone', 'n'),
      unknown({ list: 'tasks', index: 0, path: ['after', 0] }, 'a', 'task', 'b'),
      { kind: 'itself', at: { list: 'tasks', index: 0, path: ['after', 1] }, id: 'a' },
      unknown({ list: 'tasks', index: 0, path: ['milestone'] }, 'a', 'milestone', 'o'),
    ])
  })
})

describe('a cycle', () => {
  const m1m2 = [milestone('m1'), milestone('m2')]
  const cases: readonly (readonly [name: string, backlog: Backlog, path: string])[] = [
    ['of two tasks', tasksOnly(task('a', ['b']), task('b', ['a'])), 'a → b → a'],
    ['that others wait for', tasksOnly(task('x', ['b']), task('a', ['b']), task('b', ['a'])), 'a → b → a'],
    [
      'through the order of milestones',
      { milestones: m1m2, tasks: [task('a', ['b'], 'm1'), task('b', [], 'm2')] },
      'a → b → milestone m2 → milestone m1 → a',
    ],
    [
      'through an empty milestone',
      { milestones: [...m1m2, milestone('m3')], tasks: [task('a', ['b'], 'm1'), task('b', [], 'm3')] },
      'a → b → milestone m3 → milestone m2 → milestone m1 → a',
    ],
    [
      'of milestones alone',
      { milestones: [milestone('m1', ['m2']), milestone('m2')], tasks: [] },
      'milestone m1 → milestone m2 → milestone m1',
    ],
  ]

  test.each(cases)('%s is shown with its path', (_, backlog, path) => {
    const faults = checkBacklog(backlog, NOTHING_KNOWN)
    expect(faults.map((fault) => fault.kind === 'cycle' && fault.path.join(' → '))).toEqual([path])
  })

  test('of each part is shown, once', () => {
    const [ab, cd] = [[task('a', ['b']), task('b', ['a'])] as const, [task('c', ['d']), task('d', ['c'])] as const]
    const faults = checkBacklog(tasksOnly(...ab, ...cd, task('e', ['a', 'c'])), NOTHING_KNOWN)
    expect(faults).toMatchObject([{ path: ['a', 'b', 'a'] }, { path: ['c', 'd', 'c'] }])
  })

  test('of 10,000 tasks is found, and its path is cut for people', () => {
    const ring = numbered(10_000, (n) => task(`t${n}`, [`t${(n + 1) % 10_000}`]))
    const faults = checkBacklog(tasksOnly(...ring), NOTHING_KNOWN)
    expect(faults.map((fault) => backlogFaultText(fault, NOTHING_KNOWN).message)).toEqual([
      'these wait for each other, so none can start: ' +
        't0 → t1 → t2 → t3 → t4 → t5 → … 9989 more … → t9995 → t9996 → t9997 → t9998 → t9999 → t0.',
    ])
  })

  test('is found exactly where a plain search finds one', () => {
    fc.assert(
      fc.property(anyBacklog(), (backlog) => {
        const cycles = checkBacklog(backlog, NOTHING_KNOWN).filter(({ kind }) => kind === 'cycle')
        expect(cycles.length > 0).toBe(hasCycle(backlog))
      }),
      { numRuns: 500 },
    )
  })
})

function unknown(at: object, id: string, expected: 'task' | 'milestone', reference: string) {
  return { kind: 'unknown', at, id, expected, reference }
}

function anyBacklog(): fc.Arbitrary<Backlog> {
  const index = fc.integer({ min: 0, max: 7 })
  const home = fc.option(fc.integer({ min: 0, max: 3 }))
  const tasks = fc.array(fc.tuple(fc.array(index, { maxLength: 2 }), home), { maxLength: 8 })
  const milestones = fc.array(fc.option(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 2 })), { maxLength: 4 })
  return fc.tuple(milestones, tasks).map(([afters, entries]) => ({
    milestones: afters.map((after, n) => milestone(`m${n}`, after?.map((m) => `m${m}`) ?? null)),
    tasks: entries.map(([after, m], n) =>
      task(
        `t${n}`,
        after.map((t) => `t${t}`),
        m === null ? null : `m${m}`,
      ),
    ),
  }))
}

/** Walks every path from every task and milestone, with milestones expanded into their tasks. */
function hasCycle({ tasks, milestones }: Backlog): boolean {
  const before = (id: string): string[] => {
    const index = milestones.findIndex((it) => it.id === id)
    const after =
      milestones[index]?.after ??
      milestones
        .slice(0, Math.max(0, index))
        .slice(-1)
        .map((it) => it.id)
    return after.filter((other) => other !== id && milestones.some((it) => it.id === other))
  }
  const holds = (id: string) => tasks.filter((it) => it.milestone === id).map((it) => it.id as string)
  const allBefore = (id: string, seen: string[]): string[] =>
    before(id).flatMap((it) => (seen.includes(it) ? [it] : [it, ...allBefore(it, [...seen, it])]))
  const needs = (id: string): string[] => {
    const task = tasks.find((it) => it.id === id)
    if (task === undefined) return before(id)
    const earlier = task.milestone === null ? [] : allBefore(task.milestone, [])
    return [...task.after.filter((it) => it !== id), ...earlier.flatMap(holds)]
  }
  const comesRound = (id: string, trail: readonly string[]): boolean =>
    trail.includes(id) || needs(id).some((next) => comesRound(next, [...trail, id]))
  return [...tasks, ...milestones].some(({ id }) => comesRound(id, []))
}

function task(id: string, after: readonly string[] = [], milestone: string | null = null): Task {
  return {
    id: id as TaskId,
    title: id,
    brief: '',
    after: after as readonly TaskId[],
    weight: 'small',
    type: null,
    milestone: milestone as MilestoneId | null,
    priority: 0,
    acceptance: [],
    verify: [],
    mayChange: [],
    files: [],
  }
}

function milestone(id: string, after: readonly string[] | null = null): Milestone {
  return { id: id as MilestoneId, title: id, brief: '', after: after as readonly MilestoneId[] | null }
}

function tasksOnly(...tasks: Task[]): Backlog {
  return { milestones: [], tasks }
}

function numbered<T>(length: number, make: (n: number) => T): T[] {
  return Array.from({ length }, (_, n) => make(n))
}
