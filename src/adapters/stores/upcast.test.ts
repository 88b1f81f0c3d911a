import { describe, expect, test } from 'vitest'
import type { LedgerId } from '../../core/model/ids.ts'
import { ProblemError } from '../../core/model/problem.ts'
import { finding, PLAIN_RECEIPT } from '../../core/model/verdict.ts'
import { type StoredEvent, type Upcasters, upcast, versionOf } from './upcast.ts'

const RUN = 'run/r1' as LedgerId
const ATTEMPT = 'attempt/t1-a1' as LedgerId

const upcasters: Upcasters = {
  run: new Map([
    [
      'attempt-ended',
      [
        (body) => ({ ...body, cause: 'unknown' }),
        (body) => ({ ...body, findings: [] as unknown[], cause: 'was unknown' }),
      ],
    ],
  ]),
  attempt: new Map(),
}

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
    expect(() => upcast(stored({ version: 4 }), upcasters)).toThrow(ProblemError)
    const unchanged = stored({ version: 2, body: { kind: 'run-ended' } })
    expect(() => upcast(unchanged)).toThrow(/run\/r1 holds "run-ended" in version 2/)
  })

  test('of the first release has receipts that say nothing of tests, and gates that ask for no coverage', () => {
    const landed = stored({ body: { kind: 'landed', receipts: [{ gate: 'tests' }] } as { kind: string } })
    expect(upcast(landed)).toEqual({ kind: 'landed', receipts: [{ ...PLAIN_RECEIPT, gate: 'tests' }] })
    const adopted = stored({
      body: { kind: 'settings-adopted', values: { agent: {}, gates: [{ name: 'tests' }] } } as unknown as {
        kind: string
      },
    })
    expect(upcast(adopted)).toMatchObject({ values: { gates: [{ name: 'tests', coverage: null }] } })
    const none = stored({ version: 2, body: { kind: 'settings-adopted', values: { gates: null } } as { kind: string } })
    expect(upcast(none)).toMatchObject({ kind: 'settings-adopted', values: { gates: null } })
  })

  test('of an earlier release has findings without a place, wherever it holds some', () => {
    const findings = [{ source: 'tests', message: 'red', excerpt: '' }]
    const plain = [finding('tests', 'red')]
    const read = (kind: string, more: object) => upcast(stored({ ledger: ATTEMPT, body: { kind, ...more } }))
    expect(read('work-returned', { findings })).toEqual({ kind: 'work-returned', findings: plain, to: 'implement' })
    expect(read('told', { message: { kind: 'landing-refused', findings } })).toMatchObject({
      message: { kind: 'landing-refused', findings: plain },
    })
    expect(read('round-started', { cause: { kind: 'findings', findings } })).toMatchObject({
      cause: { kind: 'findings', findings: plain },
    })
    const { severity: _, ...placed } = finding('tests', 'red', { file: 'a.ts' })
    const ended = { kind: 'attempt-ended', findings: [placed] }
    expect(upcast(stored({ version: 3, body: ended }))).toEqual({
      kind: 'attempt-ended',
      findings: [{ ...placed, severity: null }],
      phase: null,
      note: null,
    })
    expect(read('attempt-closing', { cause: 'checks', findings })).toMatchObject({ cause: 'checks', findings: plain })
  })

  test('is written in version 1 until its kind changes', () => {
    expect(versionOf(RUN, 'run-ended')).toBe(1)
    expect(versionOf(RUN, 'attempt-ended')).toBe(4)
  })
})
