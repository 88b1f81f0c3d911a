import { describe, expect, test } from 'vitest'
import { withTestsOf } from './inline-tests.ts'

const ADD = 'pub fn add() {}\n'
const tests = (body: string, name = 'tests') =>
  `#[cfg(test)]\n#[allow(unused)]\nmod ${name} {\n    use super::*;\n\n    fn a() {\n        ${body}\n    }\n}\n`

describe('tests inside of a Rust file, as the base had them', () => {
  test.each([
    ['the same tests', ADD + tests('1'), `${ADD}fn more() {}\n${tests('1')}`, null],
    ['no tests on the base', ADD, ADD + tests('1'), null],
    ['a changed test', ADD + tests('1'), `${ADD}fn more() {}\n\n${tests('2')}`, `${ADD}fn more() {}\n\n${tests('1')}`],
    ['a text without its last line end', ADD + tests('1'), (ADD + tests('2')).trimEnd(), `${ADD}\n${tests('1')}`],
    ['removed tests', ADD + tests('1'), ADD, `${ADD}\n${tests('1')}`],
    [
      'one of two modules changed',
      ADD + tests('1') + tests('1', 'more'),
      ADD + tests('2') + tests('1', 'more'),
      `${ADD}${tests('1', 'more')}\n${tests('1')}`,
    ],
    ['a dollar sign', ADD + tests('"$&"'), ADD + tests('"$1"'), `${ADD}\n${tests('"$&"')}`],
  ])('%s', (_, base, text, expected) => {
    expect(withTestsOf(base, text)).toBe(expected)
  })

  test.each(['#[cfg(test)]\nmod tests {\n', '#[cfg(test)]\n', '#[cfg(test)]\n#[a]\nmod a {\n    a\n'])(
    'a long text without an end is read quickly: %j',
    (part) => {
      const text = part.repeat(50_000)
      expect(withTestsOf(text, text)).toBeNull()
    },
  )
})
