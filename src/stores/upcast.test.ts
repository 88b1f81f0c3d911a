import { describe, expect, test } from 'vitest'
import type { LedgerId } from '../core/model/ids.ts'
import { StoreTrouble } from '../ports/store.ts'
import { type StoredEvent, type Upcasters, upcast, versionOf } from './upcast.ts'

const RUN = 'run/r1' as LedgerId
const ATTEMPT = 'attempt/t1-a1' as LedgerId

const upcasters: Upcasters = new Map([
  [
    'run/attempt-ended',
    [
      (body) => ({ ...body, cause: 'unknown' }),
      (body) => ({ ...body, findings: [] as unknown[], cause: 'was unknown' }),
    ],
  ],
])

function stored(given: Partial<StoredEvent>): StoredEvent {
  return { ledger: RUN, version: 1, body: { kind: 'attempt-ended' }, ...given }
}

describe('a stored fact', () => {
  test('takes every step from its version to the present one', () => {
    expect(upcast(stored({ version: 1 }), upcasters)).toEqual({
      kind: 'attempt-ended',
      cause: 'was unknown',
      findings: [],
    })
    expect(upcast(stored({ version: 3 }), upcasters)).toEqual({ kind: 'attempt-ended' })
  })

  test('of the same name in the other sort of ledger is another kind', () => {
    expect(upcast(stored({ ledger: ATTEMPT }), upcasters)).toEqual({ kind: 'attempt-ended' })
    expect(versionOf(ATTEMPT, 'attempt-ended', upcasters)).toBe(1)
    expect(versionOf(RUN, 'attempt-ended', upcasters)).toBe(3)
  })

  test('of a newer version than this program knows is trouble, not a guess', () => {
    expect(() => upcast(stored({ version: 4 }), upcasters)).toThrow(StoreTrouble)
    const unchanged = stored({ version: 2, body: { kind: 'landed' } })
    expect(() => upcast(unchanged)).toThrow(/run\/r1 holds "landed" in version 2/)
  })

  test('is written in version 1 until its kind changes', () => {
    expect(versionOf(RUN, 'landed')).toBe(1)
    expect(versionOf(RUN, 'attempt-ended')).toBe(2)
  })
})
