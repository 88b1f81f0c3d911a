import { expect, test } from 'vitest'
import { ProblemError } from '../../src/core/model/problem.ts'
import { batch, everything, facts, kinds, LEDGER, numbered, type StoreUnderTest } from './store-facts.ts'

/** Tests that a store notices an event that is not as it was appended. */
export function noticesDamage(subject: StoreUnderTest): void {
  const flipLetter = (body: string) => body.replace('b', 'c')

  test('stops reading at an event that is not as it was appended, and names it', async () => {
    await subject.store.claim(LEDGER)
    await subject.store.append(batch({ events: facts('a', 'b', 'c') }))
    subject.spoil(LEDGER, 2, flipLetter)
    const seen: string[] = []
    const reading = async () => {
      for await (const chunk of subject.store.read(LEDGER, 0)) seen.push(...kinds(chunk))
    }
    const trouble = await reading().catch((error: unknown) => error)
    expect((trouble as ProblemError).problems[0]).toMatchObject({
      code: 'state-damaged',
      message: expect.stringContaining(`event 2 of ${LEDGER} ("c") does not match its checksum`),
    })
    expect(seen).toEqual([])
    await expect(everything(subject.store.readAll(0, {}))).rejects.toThrow(ProblemError)
    await expect(everything(subject.store.read(LEDGER, 1))).rejects.toThrow(ProblemError)
    expect(kinds(await everything(subject.store.read(LEDGER, 2)))).toEqual(['c'])
  })

  test('notices damage in an event that the reader leaves out', async () => {
    await subject.store.claim(LEDGER)
    const turn = { kind: 'turn', text: 'b' }
    await subject.store.append(batch({ events: [turn, ...facts('a')] }))
    subject.spoil(LEDGER, 1, flipLetter)
    await expect(everything(subject.store.read(LEDGER, 0, { without: ['turn'] }))).rejects.toThrow(ProblemError)
  })

  test('lists everything that is damaged, and counts what it has read', async () => {
    await subject.store.claim(LEDGER)
    await subject.store.append(batch({ events: numbered(1, 600) }))
    expect(await subject.store.verify()).toMatchObject({ counts: { ledgers: 1, events: 600 }, damage: [] })
    for (const seq of [3, 550]) subject.spoil(LEDGER, seq, flipLetter)
    expect((await subject.store.verify()).damage).toEqual([
      `event 3 of ${LEDGER} ("numcered") does not match its checksum`,
      `event 550 of ${LEDGER} ("numcered") does not match its checksum`,
    ])
  })
}
