import { expect, test } from 'vitest'
import type { ShellCommand } from '../../core/definitions/shell-command.ts'
import { parseShell } from './parse-shell.ts'

/** Returns words, with groups in brackets. */
function words(commands: readonly ShellCommand[]): readonly unknown[] {
  return commands.map((command) => (command.kind === 'group' ? words(command.commands) : command.words.join(' ')))
}

test.each([
  ['cd a && npm test; echo "x y"', ['cd a', 'npm test', 'echo x y']],
  ['(cd a && npm test) && b', [['cd a', 'npm test'], 'b']],
  ['a | b', [['a'], ['b']]],
  ['if a; then b; else c; fi', ['a', 'b', 'c']],
  ['for x in 1 2; do a $x; done; while b; do c; done', ['a $x', 'b', 'c']],
  ['f() { a; }; f', [['a'], 'f']],
  ['echo "$(a b)" `c`', [[['a b']], [['c']], 'echo $(a b) `c`']],
  ['case $x in a) b;; esac', ['b']],
  ["bash -c 'a && b' >out 2>&1", ['bash -c a && b']],
  ['a |', ['a']],
])('%s', (text, expected) => {
  expect(words(parseShell(text))).toEqual(expected)
})

test('variables and here-documents belong to their command', () => {
  expect(parseShell('A=1 B="x y" sh <<EOF\nnpm test\nEOF')).toEqual([
    { kind: 'command', words: ['sh'], variables: { A: '1', B: 'x y' }, input: 'npm test\n' },
  ])
  expect(parseShell('sh <<< "npm test"')).toMatchObject([{ input: 'npm test' }])
})

test('a text that is too deep has no commands', () => {
  expect(parseShell('('.repeat(100_000)).length).toBeLessThanOrEqual(1)
})
