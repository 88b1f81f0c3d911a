import type { Tokens } from '../model/usage.ts'

/** US dollars per million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** The prices that ship, by the start of a model's name; the longest match counts. */
const PRICES: Readonly<Record<string, Price>> = {
  opus: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  sonnet: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  haiku: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  'claude-opus': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  'claude-sonnet': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  'claude-haiku': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  scripted: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
}

/** What tokens cost at a model's price, or null when the model has none. */
export function costUsd(tokens: Tokens, model: string, own: Readonly<Record<string, Price>>): number | null {
  const price = priceOf(model, own) ?? priceOf(model, PRICES)
  if (price === null) return null
  const micro =
    tokens.input * price.input +
    tokens.output * price.output +
    tokens.cacheRead * price.cacheRead +
    tokens.cacheWrite * price.cacheWrite
  return micro / 1_000_000
}

function priceOf(model: string, table: Readonly<Record<string, Price>>): Price | null {
  const names = Object.keys(table).filter((name) => model.startsWith(name))
  const longest = names.sort((a, b) => b.length - a.length)[0]
  return longest === undefined ? null : (table[longest] ?? null)
}
