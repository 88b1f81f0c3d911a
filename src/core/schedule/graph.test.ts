import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MilestoneId, TaskId } from '../model/ids.ts'
import type { Task } from '../model/task.ts'
import { addMilestone, addTask, changeTask, type Graph, newGraph, setStatus } from './graph.ts'
import { blockersOf, chainLengths, isBlocked, isFree, missingBefore } from './graph-queries.ts'

const id = (name: string) => name as TaskId

function task(name: string, after: readonly string[] = [], milestone: string | null = null): Task {
  return {
    id: id(name),
    title: name,
    brief: '',
    after: after.map(id),
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

function graphOf(...tasks: Task[]): Graph {
  const graph = newGraph()
  for (const one of tasks) addTask(graph, one)
  return graph
}

function milestone(name: string, after: readonly string[] | null = null) {
  return { id: name as MilestoneId, title: name, brief: '', after: after as readonly MilestoneId[] | null }
}

test('a task is free when everything before it is satisfied', () => {
  const graph = graphOf(task('a'), task('b', ['a']), task('c', ['a', 'b']))
  expect(isFree(graph, id('c'))).toBe(false)
  setStatus(graph, id('a'), 'satisfied')
  expect(isFree(graph, id('b'))).toBe(true)
  expect(missingBefore(graph, id('c'))).toEqual(['b'])
  setStatus(graph, id('b'), 'satisfied')
  expect(isFree(graph, id('c'))).toBe(true)
})

test('a failed task blocks everything after it until it is reopened', () => {
  const graph = graphOf(task('a'), task('b', ['a']), task('c', ['b']), task('d'))
  expect([...setStatus(graph, id('a'), 'failed')].sort()).toEqual(['a', 'b', 'c'])
  expect(isBlocked(graph, id('c'))).toBe(true)
  expect(blockersOf(graph, id('c'))).toEqual(['a'])
  setStatus(graph, id('a'), 'open')
  expect(isBlocked(graph, id('c'))).toBe(false)
})

test('two failed tasks block until both are reopened', () => {
  const graph = graphOf(task('a'), task('b'), task('c', ['a', 'b']))
  setStatus(graph, id('a'), 'failed')
  setStatus(graph, id('b'), 'failed')
  setStatus(graph, id('a'), 'satisfied')
  expect(isBlocked(graph, id('c'))).toBe(true)
  setStatus(graph, id('b'), 'open')
  expect(isBlocked(graph, id('c'))).toBe(false)
})

test('milestones follow each other unless they say otherwise', () => {
  const graph = newGraph()
  for (const one of [milestone('m1'), milestone('m2'), milestone('m3', [])]) addMilestone(graph, one)
  for (const one of [task('a', [], 'm1'), task('b', [], 'm2'), task('c', [], 'm3')]) addTask(graph, one)
  expect([isFree(graph, id('a')), isFree(graph, id('b')), isFree(graph, id('c'))]).toEqual([true, false, true])
  setStatus(graph, id('a'), 'satisfied')
  expect(isFree(graph, id('b'))).toBe(true)
})

test('a failed task of one milestone blocks the next', () => {
  const graph = newGraph()
  for (const one of [milestone('m1'), milestone('m2')]) addMilestone(graph, one)
  for (const one of [task('a', [], 'm1'), task('b', [], 'm2')]) addTask(graph, one)
  setStatus(graph, id('a'), 'failed')
  expect(blockersOf(graph, id('b'))).toEqual(['a'])
})

test('changed dependencies count immediately', () => {
  const graph = graphOf(task('a'), task('b', ['a']))
  changeTask(graph, task('b', ['a']), task('b', []))
  expect(isFree(graph, id('b'))).toBe(true)
})

test('chains are measured from each task to the end', () => {
  const lengths = chainLengths(graphOf(task('a'), task('b', ['a']), task('c', ['b']), task('d')))
  expect(['a', 'b', 'c', 'd'].map((name) => lengths.get(name))).toEqual([3, 2, 1, 1])
})

test('a chain of 20,000 tasks neither overflows nor takes long', () => {
  const graph = newGraph()
  for (let n = 0; n < 20_000; n += 1) addTask(graph, task(`t${n}`, n === 0 ? [] : [`t${n - 1}`]))
  setStatus(graph, id('t0'), 'failed')
  expect(isBlocked(graph, id('t19999'))).toBe(true)
  expect(chainLengths(graph).get('t0')).toBe(20_000)
})

test('counters match a naive search of the graph', () => {
  const edges = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 12 })
  const changes = fc.array(fc.tuple(fc.nat(7), fc.constantFrom('open', 'satisfied', 'failed')), { maxLength: 20 })
  fc.assert(
    fc.property(edges, changes, (pairs, steps) => {
      const after = (n: number) => [
        ...new Set(pairs.filter(([a, b]) => Math.max(a, b) === n && a !== b).map(([a, b]) => Math.min(a, b))),
      ]
      const graph = graphOf(
        ...[...Array(8).keys()].map((n) =>
          task(
            `t${n}`,
            after(n).map((m) => `t${m}`),
          ),
        ),
      )
      const status: string[] = Array(8).fill('open')
      for (const [n, to] of steps) {
        status[n] = to
        setStatus(graph, id(`t${n}`), to as 'open')
      }
      const hopeless = (n: number): boolean =>
        status[n] === 'failed' || (status[n] === 'open' && after(n).some(hopeless))
      for (let n = 0; n < 8; n += 1) {
        expect(isFree(graph, id(`t${n}`))).toBe(after(n).every((m) => status[m] === 'satisfied'))
        expect(isBlocked(graph, id(`t${n}`))).toBe(after(n).some(hopeless))
      }
    }),
  )
})
