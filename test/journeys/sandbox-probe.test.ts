import { expect, test } from 'vitest'
import { HANG_MS } from '../patience.ts'
import { playLevel } from '../sandbox/play-level.ts'
import { faultsOf } from '../sandbox/sandbox-matrix.ts'

test(
  'a hostile agent and a hostile check reach nothing outside of the sandbox',
  async () => {
    const played = await playLevel('standard', ['agent', 'check'])
    expect(faultsOf(new Map([['standard', played]]))).toEqual([])
  },
  HANG_MS,
)
