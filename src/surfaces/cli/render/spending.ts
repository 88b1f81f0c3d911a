import type { Tokens } from '../../../core/model/usage.ts'
import { counted, grouped } from '../../../core/views/line-parts.ts'

/** What something has used up, with cached tokens apart; `usd` null: some price is not known. */
export function spentText(spent: {
  readonly usd: number | null
  readonly turns: number
  readonly tokens: Tokens
}): string {
  const { usd, turns, tokens } = spent
  const input = tokens.input + tokens.cacheRead + tokens.cacheWrite
  const money = usd === null ? 'money that is not known (a price is missing)' : `${usd.toFixed(2)} USD`
  return `Spent ${money} in ${counted(turns, 'turn')}: ${grouped(input)} tokens in (${grouped(tokens.cacheRead)} cached), ${grouped(tokens.output)} out.`
}
