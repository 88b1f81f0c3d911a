import fc from 'fast-check'
import { expect, test } from 'vitest'
import { givenTask } from '../../../test/given/given-run.ts'
import type { TaskId } from '../model/ids.ts'
import { addTask, newGraph } from './graph.ts'
import { chainLengths } from './graph-queries.ts'
import { ReadyTasks } from './ready-tasks.ts'

test('inOrder lists all tasks in starting order', () => {
  const graph = newGraph()
  const ready = new ReadyTasks()
  const tasks = [givenTask('a'), givenTask('b'), givenTask('c', ['b']), givenTask('d', [], { priority: 1 })]
  for (const task of tasks) addTask(graph, task)
  for (const id of ['a', 'b', 'd']) ready.add(id as TaskId)
  const known = (id: TaskId) => {
    const order = tasks.findIndex((task) => task.id === id)
    const task = tasks[order]
    return task === undefined ? undefined : { task, order }
  }
  expect(ready.inOrder(graph, known)).toEqual(['d', 'b', 'a'])
})

test('the next task equals the result of a full search, whatever was added and removed', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('add', 'delete', 'grow'), fc.nat(11)), { maxLength: 60 })
  fc.assert(
    fc.property(steps, fc.array(fc.nat(2), { minLength: 12, maxLength: 12 }), (changes, priorities) => {
      const graph = newGraph()
      const ready = new ReadyTasks()
      const tasks = priorities.map((priority, n) => givenTask(`t${n}`, n % 3 === 2 ? [`t${n - 1}`] : [], { priority }))
      for (const task of tasks) addTask(graph, task)
      const known = (id: TaskId) => {
        const order = tasks.findIndex((task) => task.id === id)
        const task = tasks[order]
        return task === undefined ? undefined : { task, order }
      }
      const inIt = new Set<number>()
      for (const [what, n] of changes) {
        if (what === 'add') inIt.add(n)
        if (what === 'delete') inIt.delete(n)
        if (what === 'add') ready.add(`t${n}` as TaskId)
        if (what === 'delete') ready.delete(`t${n}` as TaskId)
        if (what === 'grow') addTask(graph, givenTask(`more${graph.version}`, [`t${n}`]))
        const chains = chainLengths(graph)
        const rank = (m: number) => (priorities[m] ?? 0) * 1000 + (chains.get(`t${m}`) ?? 1) * 20 - m
        const best = [...inIt].sort((a, b) => rank(b) - rank(a))[0]
        expect(ready.next(graph, known)).toBe(best === undefined ? null : `t${best}`)
      }
    }),
  )
})
