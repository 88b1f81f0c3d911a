import { expect, test } from 'vitest'
import { commitSubject, titleFault } from './title.ts'

test.each([
  ['Fix the login', null],
  [' two\n lines ', null],
  ['x'.repeat(200), null],
  ['x'.repeat(201), 'text of at most 200 characters'],
  [' \n', 'text that is not empty'],
  ['a \u001b[31mred', 'text without control characters'],
  ['a \u202eb', 'text without control characters'],
])('the title %j', (title, fault) => expect(titleFault(title)).toBe(fault))

test.each([
  ['Fix it', 'a: Fix it'],
  ['\u001b[31mred\nalarm', 'a: [31mred alarm'],
  ['x'.repeat(200), `a: ${'x'.repeat(96)}…`],
])('the subject of a commit for %j', (title, subject) => expect(commitSubject({ id: 'a', title })).toBe(subject))
