import { expect, test } from 'vitest'
import { nearestName } from './nearest-name.ts'

test.each([
  ['titel', 'title'],
  ['tilte', 'title'],
  ['Title', 'title'],
  ['brief ', 'brief'],
  ['milestones', 'milestone'],
  ['handOff', 'hand_off'],
  ['hand-off', 'hand_off'],
])('%s was meant to be %s', (word, meant) => {
  expect(nearestName(word, ['id', 'title', 'brief', 'milestone', 'hand_off'])).toBe(meant)
})

test.each(['x', 'di', 'colour', '', 'brie-la-de-da'])('%j is close to no name', (word) => {
  expect(nearestName(word, ['id', 'title', 'brief'])).toBeNull()
})

test('the closer of two wins, and the first of two equals', () => {
  expect(nearestName('tasks-of-me', ['tasks-of-us', 'tasks-of-mee'])).toBe('tasks-of-mee')
  expect(nearestName('login', ['logiq', 'logis'])).toBe('logiq')
})
