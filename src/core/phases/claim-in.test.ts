import { expect, test } from 'vitest'
import { claimIn } from './claim-in.ts'

test.each([
  ['nothing in particular', null],
  ['', null],
  ['All done.\n<phase_complete>', { kind: 'done' }],
  ['<phase_complete/>', { kind: 'done' }],
  ['<phase_complete>true</phase_complete>', { kind: 'done' }],
  ['```\n<phase_complete />\n```', { kind: 'done' }],
  ['More to do. <phase_continue>', { kind: 'continue' }],
  ['<phase_blocked>no key for the API</phase_blocked>', { kind: 'blocked', reason: 'no key for the API' }],
  ['<phase_blocked>\n  two\nlines\n</phase_blocked>', { kind: 'blocked', reason: 'two\nlines' }],
  ['<phase_blocked>cut off in the mid', { kind: 'blocked', reason: 'cut off in the mid' }],
  ['<phase_blocked></phase_blocked>', { kind: 'blocked', reason: 'no reason was given' }],
  ['<phase_continue>\nwait, no:\n<phase_complete>', { kind: 'done' }],
  ['<phase_complete> … <phase_blocked>a test fails</phase_blocked>', { kind: 'blocked', reason: 'a test fails' }],
  ['the phase_complete tag', null],
])('%j claims %j', (text, claim) => {
  expect(claimIn(text)).toEqual(claim)
})
