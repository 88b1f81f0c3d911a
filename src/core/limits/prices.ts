import type { Price, Tokens } from '../model/usage.ts'

/** Price with a different rate for long prompts. */
interface ShippedPrice extends Price {
  readonly long?: Price & { readonly abovePromptTokens: number }
}

/** Built-in prices by prefix of a model's name; the longest match counts. */
const PRICES: Readonly<Record<string, ShippedPrice>> = {
  opus: price(5, 25, 0.5),
  sonnet: price(3, 15, 0.3),
  haiku: price(1, 5, 0.1),
  scripted: price(5, 25, 0.5),
  'claude-opus': price(5, 25, 0.5),
  'claude-opus-4-0': price(15, 75, 1.5),
  'claude-opus-4-2025': price(15, 75, 1.5),
  'claude-opus-4-1': price(15, 75, 1.5),
  'claude-opus-5-5': price(4, 20, 0.2),
  'claude-sonnet': price(3, 15, 0.3),
  'claude-sonnet-5': price(2, 10, 0.2),
  'claude-sonnet-5-5': price(2, 10, 0.1),
  'claude-3-7-sonnet': price(3, 15, 0.3),
  'claude-3-5-sonnet': price(3, 15, 0.3),
  'claude-haiku': price(1, 5, 0.1),
  'claude-haiku-5-5': { ...price(0.1, 0.5, 0.01), long: { ...price(0.5, 2.5, 0.05), abovePromptTokens: 100_000 } },
  'claude-3-5-haiku': price(0.8, 4, 0.08),
  'claude-fable-5': price(10, 50, 1),
  'claude-fable-5-1': price(10, 50, 0.25),
  'claude-fable-5-2': price(8, 40, 0.2),
  'claude-mythos-5': price(10, 50, 1),
  'claude-mythos-5-1': price(10, 50, 0.25),
  'claude-mythos-5-2': price(8, 40, 0.2),
}

/** Returns the cost of tokens at a model's price, or null when the model has none. */
export function costUsd(
  tokens: Tokens,
  model: string,
  own: Readonly<Record<string, Price>>,
  hourCacheWrite = 0,
): number | null {
  const entry: ShippedPrice | null = priceOf(model, own) ?? priceOf(model, PRICES)
  if (entry === null) return null
  const price = priceFor(tokens, entry)
  const micro =
    tokens.input * price.input +
    tokens.output * price.output +
    tokens.cacheRead * price.cacheRead +
    tokens.cacheWrite * price.cacheWrite +
    hourCacheWrite * (price.input * HOUR_RATE - price.cacheWrite)
  return micro / 1_000_000
}

/** Writing to the one-hour cache costs twice as much as plain input, with every model. */
const HOUR_RATE = 2

/** Writing to the cache costs a quarter more than plain input, with every model. */
function price(input: number, output: number, cacheRead: number): Price {
  return { input, output, cacheRead, cacheWrite: input * 1.25 }
}

function priceFor({ input, cacheRead, cacheWrite }: Tokens, shipped: ShippedPrice): Price {
  const { long } = shipped
  return long !== undefined && input + cacheRead + cacheWrite > long.abovePromptTokens ? long : shipped
}

function priceOf<Kind extends Price>(model: string, table: Readonly<Record<string, Kind>>): Kind | null {
  const names = Object.keys(table).filter((name) => model.startsWith(name))
  const longest = names.sort((a, b) => b.length - a.length)[0]
  return longest === undefined ? null : (table[longest] ?? null)
}
