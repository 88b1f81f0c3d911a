import type { Tokens } from '../../../core/model/usage.ts'
import { counted, grouped } from '../../../core/views/line-parts.ts'

/** Formats cost, turns and tokens, with cached tokens apart; a null `usd` means that a price is not known. */
export function spentText(spent: {
  readonly usd: number | null
  readonly turns: number
  readonly tokens: Tokens
}): string {
  const { usd, turns, tokens } = spent
  const input = tokens.input + tokens.cacheRead + tokens.cacheWrite
  const money = usd === null ? 'an unknown amount (a price is missing)' : `${usd.toFixed(2)} USD`
  return `Spent ${money} in ${counted(turns, 'turn')}: ${grouped(input)} tokens in (${grouped(tokens.cacheRead)} cached), ${grouped(tokens.output)} out.`
}
