import { expect, test } from 'vitest'
import { withToolInstructions } from '../prompts/tool-instructions.ts'
import { toolsOf } from './tools-of.ts'

test.each([
  ['planner', 8, 'task backlog recall progress ask report note propose'],
  ['coder', 12, 'task backlog recall progress ask report note checks findings limits learn propose'],
  ['tester', 8, 'task backlog recall progress ask report checks propose'],
  ['reviewer', 9, 'task backlog recall progress ask checks findings learn review'],
  ['qa', 13, 'task backlog recall progress ask report note checks findings limits learn propose qa'],
  ['resolver', 11, 'task backlog recall progress ask report note checks findings limits learn'],
  ['fixer', 11, 'task backlog recall progress ask report note checks findings limits learn'],
] as const)('a %s has %d tools', (role, count, names) => {
  expect(toolsOf(role, null)).toEqual(names.split(' '))
  expect(new Set(toolsOf(role, null)).size).toBe(count)
})

test.each([
  ['coder', ['ask', 'report', 'learn', 'propose'], ['review', 'qa']],
  ['reviewer', ['ask', 'learn', 'review'], ['report', 'propose']],
  ['planner', ['ask', 'report', 'propose'], ['learn']],
] as const)('the prompt of a %s names its own tools only', (role, named, unnamed) => {
  const opening = withToolInstructions('Do it.', toolsOf(role, null))
  expect(named.filter((tool) => !opening.includes(`"${tool}"`))).toEqual([])
  expect(unnamed.filter((tool) => opening.includes(`"${tool}"`))).toEqual([])
})

test('a report by form has no tool', () => {
  expect(toolsOf('reviewer', 'review')).toEqual(toolsOf('reviewer', null).filter((tool) => tool !== 'review'))
  expect(toolsOf('qa', 'qa')).toEqual(toolsOf('coder', null))
})
