import type { AttemptEvent } from '../../model/attempt-event.ts'
import type { Totals } from '../../model/usage.ts'
import { nothingSpent, type RoundStory, type Spent, spend } from './attempt-story.ts'

/** A round with its ledger positions and its usage so far. */
interface CountedRound {
  readonly story: RoundStory
  readonly startSeq: number
  endSeq: number | null
  /** Usage of the attempt when the round ended; null while it runs. */
  totals: Totals | null
  isUnpriced: boolean
}

/** Works out the usage of each round: from the event that ended it, or from single turns while it runs. */
export class RoundSpending {
  readonly #rounds: CountedRound[] = []

  start(story: RoundStory, seq: number): void {
    this.#rounds.push({ story, startSeq: seq, endSeq: null, totals: null, isUnpriced: false })
  }

  end({ round, totals, usd }: Extract<AttemptEvent, { kind: 'round-ended' }>, seq: number): void {
    const counted = this.#rounds.findLast(({ story }) => story.round === round)
    if (counted === undefined) return
    counted.endSeq = seq
    counted.totals = totals
    counted.isUnpriced = usd === null
    Object.assign(counted.story.spent, nothingSpent())
  }

  /** Counts a turn, unless the totals at the end of its round include it. */
  use({ usage, usd }: Extract<AttemptEvent, { kind: 'usage-observed' }>, seq: number): void {
    const round = this.#rounds.findLast(({ startSeq }) => startSeq < seq)
    if (round === undefined || (round.endSeq !== null && seq < round.endSeq)) return
    if (usd === null) round.isUnpriced = true
    spend(round.story.spent, { usd: usd ?? 0, turns: usage.scope === 'main' ? 1 : 0, tokens: usage.tokens })
  }

  /** Ledger position after which single turns have to be counted. */
  get turnsNeededAfter(): number {
    return this.#rounds.at(-1)?.startSeq ?? 0
  }

  /** Assigns each round its usage and returns the sum. */
  settle(): Spent {
    const sum = nothingSpent()
    for (const { story, totals, isUnpriced } of this.#rounds) {
      if (totals !== null) spend(story.spent, minus(totals, sum))
      spend(sum, story.spent)
      if (isUnpriced) story.spent.usd = null
    }
    if (this.#rounds.some(({ isUnpriced }) => isUnpriced)) sum.usd = null
    return sum
  }
}

function minus(totals: Totals, { usd, turns, tokens }: Spent): Spent {
  return {
    usd: rounded(totals.usd - (usd ?? 0)),
    turns: totals.turns - turns,
    tokens: {
      input: totals.tokens.input - tokens.input,
      cacheRead: totals.tokens.cacheRead - tokens.cacheRead,
      cacheWrite: totals.tokens.cacheWrite - tokens.cacheWrite,
      output: totals.tokens.output - tokens.output,
    },
  }
}

/** Removes floating-point noise from a difference. */
function rounded(usd: number): number {
  return Math.round(usd * 1e9) / 1e9
}
