import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { cut, hanging, left, widthOf, wrap } from './columns.ts'

test.each([
  ['a short one', 20, 'a short one'],
  ['one that is too long', 10, 'one that …'],
  ['日本語のタイトル', 9, '日本語の…'],
  ['日本語のタイトル', 8, '日本語…'],
  ['👩‍👩‍👧‍👦 family', 4, '👩‍👩‍👧‍👦 …'],
  ['\u001b[31mred\u001b[0m and\nmore', null, ' [31mred [0m and more'],
])('%j in %j columns is %j', (text, width, shown) => {
  expect(cut(text, width)).toBe(shown)
})

test('columns are filled by width, not by length', () => {
  expect(left('日本', 6)).toBe('日本  ')
  expect(left('abc', 2)).toBe('abc')
})

test.each([
  ['as it is', null, ['as it is']],
  ['two lines\nstay two', 20, ['two lines', 'stay two']],
  ['broken between its words', 10, ['broken', 'between', 'its words']],
  ['  - an item keeps its place', 12, ['  - an item', '    keeps', '    its', '    place']],
  ['/a/path/that/is/long', 8, ['/a/path/', 'that/is/', 'long']],
  ['日本語のタイトル', 6, ['日本語', 'のタイ', 'トル']],
])('%j in %j columns takes the lines %j', (text, width, lines) => {
  expect(wrap(text, width)).toEqual(lines)
})

test('a wrapped text is indented below its start; a text with a word that does not fit is not wrapped', () => {
  expect(hanging('name: ', 'a text of some length', 16)).toEqual(['name: a text of', '      some', '      length'])
  expect(hanging('name: ', 'see /a/path/that/is/long', 16)).toEqual(['name: see /a/path/that/is/long'])
  expect(hanging('日本: ', 'abcd ef', 10)).toEqual(['日本: abcd', '      ef'])
})

test('every character is as wide as string-width says, including those measured the quick way', () => {
  const all = Array.from({ length: 0x10_000 }, (_, code) => String.fromCodePoint(code))
  expect(all.filter((text) => widthOf(text) !== stringWidth(text))).toEqual([])
})
