import { expect, test } from 'vitest'
import { type StateFilesSeen, stateLoss } from './state-loss.ts'

const DATABASE = { identity: '1:10', size: 8192, writtenAt: '5' }
const LOG = { identity: '1:11', size: 4152, writtenAt: '6' }
const BEFORE: StateFilesSeen = {
  database: DATABASE,
  log: LOG,
  logNeeded: 4152,
  checkpoints: '1',
  isOurs: true,
  version: 1,
}

test.each([
  ['nothing changed', {}, null],
  ['the log grew', { log: { ...LOG, size: 8272 }, logNeeded: 8272 }, null],
  [
    'a checkpoint wrote to the database',
    { database: { ...DATABASE, size: 12288, writtenAt: '7' }, checkpoints: '2' },
    null,
  ],
  ['the log was emptied by a checkpoint', { log: { ...LOG, size: 0 }, logNeeded: 0 }, null],
  ['the database was deleted', { database: null }, 'gone'],
  ['the log was deleted', { log: null }, 'gone'],
  ['another file has the name of the database', { database: { ...DATABASE, identity: '1:12' } }, 'replaced'],
  ['another file has the name of the log', { log: { ...LOG, identity: '1:13' } }, 'replaced'],
  ['the database was truncated', { database: { ...DATABASE, size: 0, writtenAt: '7' } }, 'truncated'],
  ['the log lacks facts', { log: { ...LOG, size: 100 } }, 'truncated'],
  ['the database was written to without a checkpoint', { database: { ...DATABASE, writtenAt: '7' } }, 'overwritten'],
  ['the database begins differently', { isOurs: false }, 'overwritten'],
  ['the schema is of a newer version', { version: 2 }, 'newer'],
] as const)('%s: %j is %s', (_, change, expected) => {
  expect(stateLoss(BEFORE, { ...BEFORE, ...change })).toBe(expected)
})
