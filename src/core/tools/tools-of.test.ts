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
] as const)('a %s is told of the tools that it has, and of no others', (role, told, untold) => {
  const opening = withToolInstructions('Do it.', toolsOf(role, null))
  expect(told.filter((tool) => !opening.includes(`"${tool}"`))).toEqual([])
  expect(untold.filter((tool) => opening.includes(`"${tool}"`))).toEqual([])
})

test('what an agent tells in a form, it has no tool for', () => {
  expect(toolsOf('reviewer', 'review')).toEqual(toolsOf('reviewer', null).filter((tool) => tool !== 'review'))
  expect(toolsOf('qa', 'qa')).toEqual(toolsOf('coder', null))
})
