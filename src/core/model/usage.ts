/** Tokens of one model call or a sum of calls. */
export interface Tokens {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
}

/** Usage of an attempt, a task or a run. */
export interface Totals {
  readonly usd: number
  readonly turns: number
  readonly tokens: Tokens
  /** Money by calendar day (UTC), for the daily budget. */
  readonly usdByDay: Readonly<Record<string, number>>
}

/** Zero usage. */
export const NO_TOKENS: Tokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
export const NO_TOTALS: Totals = { usd: 0, turns: 0, tokens: NO_TOKENS, usdByDay: {} }

/** Returns the calendar day (UTC) of a time. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Adds two totals. */
export function addTotals(a: Totals, b: Totals): Totals {
  return {
    usd: a.usd + b.usd,
    turns: a.turns + b.turns,
    tokens: addTokens(a.tokens, b.tokens),
    usdByDay: addDays(a.usdByDay, b.usdByDay),
  }
}

/** Adds two token counts. */
export function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
  }
}

function addDays(a: Totals['usdByDay'], b: Totals['usdByDay']): Totals['usdByDay'] {
  const sum: Record<string, number> = { ...a }
  for (const day in b) sum[day] = (sum[day] ?? 0) + (b[day] ?? 0)
  return sum
}

/** US dollars per million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** Turns and time of the longest round of a landed task. */
export interface Sample {
  readonly turns: number
  readonly ms: number
}

/** Samples of earlier work by kind of task, oldest first. */
export type Samples = Readonly<Record<string, readonly Sample[]>>
