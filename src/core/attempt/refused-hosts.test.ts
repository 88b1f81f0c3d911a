import { expect, test } from 'vitest'
import { given, opened, roundEnded, roundStarted, when } from '../../../test/given/given-attempt.ts'
import { REFUSED_HOSTS_RECORDED_MAX } from '../limits/limits.ts'

const refused = (host: string, round = 1) => ({ kind: 'host-refused', round, host, why: 'not allowed' }) as const
const inRound = [...opened(), roundStarted(1)]

test('a refused host is recorded once per round', () => {
  const first = given(...inRound)
  expect(when(first, refused('a.example'))).toEqual([refused('a.example')])
  const second = given(...inRound, refused('a.example'))
  expect([when(second, refused('a.example')), when(second, refused('b.example'))]).toEqual([[], [refused('b.example')]])
})

test('the next round records it again', () => {
  const next = given(...inRound, refused('a.example'), roundEnded(1, 'ok'), roundStarted(2))
  expect(when(next, refused('a.example', 2))).toEqual([refused('a.example', 2)])
})

test('a late refusal of an earlier round changes nothing', () => {
  const next = given(...inRound, roundEnded(1, 'ok'), roundStarted(2))
  expect(when(next, refused('a.example', 1))).toEqual([])
})

test('an agent that tries many hosts does not fill the ledger', () => {
  const many = Array.from({ length: REFUSED_HOSTS_RECORDED_MAX }, (_, index) => refused(`h${index}.example`))
  expect(when(given(...inRound, ...many), refused('another.example'))).toEqual([])
})
