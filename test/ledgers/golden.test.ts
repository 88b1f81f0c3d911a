import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nextSum } from '../../src/adapters/stores/checksum.ts'
import { FACT_VERSION } from '../../src/adapters/stores/upcast.ts'
import { EVENT_KINDS } from '../../src/core/model/event-kinds.ts'
import { foldLedgers, ledgerLines } from './fold-ledgers.ts'

const names = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => name.replace('.jsonl', ''))

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')

describe('a golden ledger', () => {
  test.each(names)('%s folds to what its engine had in memory', (name) => {
    expect(foldLedgers(ledgerLines(read(`${name}.jsonl`)))).toEqual(JSON.parse(read(`${name}.json`)))
  })

  test.each(names)('%s has only kinds of facts that exist; after a rename run "npm run golden"', (name) => {
    const kinds = new Set(ledgerLines(read(`${name}.jsonl`)).map(({ body }) => body.kind))
    expect([...kinds].filter((kind) => !EVENT_KINDS.includes(kind))).toEqual([])
  })

  test.each(names)('%s has the checksums that are computed today', (name) => {
    const sums = new Map<string, number>()
    for (const line of ledgerLines(read(`${name}.jsonl`))) {
      sums.set(line.ledger, nextSum(sums.get(line.ledger) ?? 0, { ...line, body: JSON.stringify(line.body) }))
      expect([line.seq, line.sum]).toEqual([line.seq, sums.get(line.ledger)])
    }
  })

  test('of a newer version is refused by name', () => {
    const [line] = ledgerLines(read(`${names[0]}.jsonl`))
    if (line === undefined) throw new Error('there is no golden ledger')
    const newer = { ...line, version: FACT_VERSION + 1 }
    expect(() => foldLedgers([newer])).toThrow(/run\/sim holds "run-opened" in version 2; this Longhaul reads up to 1/)
  })
})
