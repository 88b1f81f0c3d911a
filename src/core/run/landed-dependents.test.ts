import { expect, test } from 'vitest'
import { givenTask } from '../../../test/given/given-run.ts'
import type { TaskId } from '../model/ids.ts'
import { type LandedTask, restingOn } from './landed-dependents.ts'

function landed(id: string, after: readonly string[], files: readonly string[]): LandedTask {
  return { task: givenTask(id, after), change: { files } }
}

/** Tasks that rest on the first of these, which landed in this order. */
function resting(...work: readonly LandedTask[]): readonly string[] {
  const [first, ...later] = work
  if (first === undefined) return []
  const taskOf = (id: TaskId) => [...work, SKIPPED].find(({ task }) => task.id === id)?.task
  return restingOn(first, later.toReversed(), taskOf).map(({ task, on, files }) => `${task} on ${on}: ${files.join()}`)
}

const SKIPPED = landed('skipped', ['a'], [])

test.each<[string, readonly LandedTask[], readonly string[]]>([
  ['nothing landed later', [landed('a', [], ['f'])], []],
  ['other files', [landed('a', [], ['f']), landed('b', [], ['g'])], []],
  ['after it', [landed('a', [], ['f']), landed('b', ['a'], ['g'])], ['b on a: ']],
  ['after a skipped task that is after it', [landed('a', [], ['f']), landed('b', ['skipped'], [])], ['b on a: ']],
  ['the same file', [landed('a', [], ['e', 'f']), landed('b', [], ['f', 'g'])], ['b on a: f']],
  [
    'transitive, newest first',
    [landed('a', [], ['f']), landed('b', ['a'], ['g']), landed('x', [], ['y']), landed('c', [], ['g'])],
    ['c on b: g', 'b on a: '],
  ],
])('tasks that rest on a task: %s', (_, work, expected) => {
  expect(resting(...work)).toEqual(expected)
})
