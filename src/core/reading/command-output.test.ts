import { expect, test } from 'vitest'
import { causeIn, lastLines } from './command-output.ts'

const NPM = `npm error code EUSAGE
npm error
npm error The \`npm ci\` command can only install with an existing package-lock.json
npm error A complete log of this run can be found in: /home/me/.npm/_logs/x.log
`
const TRACE = `Traceback (most recent call last):
  File "setup.py", line 1, in <module>
    raise Error
ModuleNotFoundError: No module named 'yaml'
`

test.each([
  ['npm', NPM, 'npm error The `npm ci` command can only install with an existing package-lock.json'],
  ['a stack trace', TRACE, "ModuleNotFoundError: No module named 'yaml'"],
  [
    'pip',
    'Collecting x\n\u001b[31mERROR: No matching distribution for x\u001b[0m\nWARNING: old\n',
    'ERROR: No matching distribution for x',
  ],
  ['other words', 'one\ntwo\n\n', 'two'],
  ['an overwritten line', ' 10 %\r 100 %\ndone\n', 'done'],
  ['nothing', '\n', ''],
  ['a long line', `error ${'x'.repeat(300)}`, `error ${'x'.repeat(193)}…`],
])('the cause in the output of %s', (_, output, cause) => expect(causeIn(output)).toBe(cause))

test('the last lines leave out blank ones', () => {
  const output = Array.from({ length: 20 }, (_, number) => `line ${number}\n\n`).join('')
  expect(lastLines(output)).toEqual(Array.from({ length: 12 }, (_, number) => `line ${number + 8}`))
})
