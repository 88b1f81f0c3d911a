import { expect, test } from 'vitest'
import { unwritableReason } from './file-problems.ts'

test.each([
  [Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' }), 'you have no permission to write there'],
  [Object.assign(new Error('EROFS: x'), { code: 'EROFS' }), 'the file system is read-only'],
  [new Error('odd'), 'Error: odd'],
])('the reason of %s', (cause, reason) => expect(unwritableReason(cause)).toBe(reason))
