/** When a usage limit ends: at a moment, or so long after the limit is met. */
export type Reset = { readonly kind: 'at'; readonly at: number } | { readonly kind: 'after'; readonly ms: number }

/** Reads an ISO time, epoch seconds or "+SECONDS"; null for anything else. */
export function parseReset(written: unknown): Reset | null {
  if (typeof written === 'number') return epochSeconds(written)
  if (typeof written !== 'string') return null
  const after = /^\+(\d+(?:\.\d+)?)$/.exec(written)?.[1]
  if (after !== undefined) return { kind: 'after', ms: Number(after) * 1000 }
  if (/^\d+$/.test(written)) return epochSeconds(Number(written))
  const at = ISO_TIME.test(written) ? Date.parse(written) : Number.NaN
  return Number.isNaN(at) ? null : { kind: 'at', at }
}

// Date.parse alone would take "May", too.
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/
// The year 5138: a larger number counts milliseconds.
const EPOCH_SECONDS_MAX = 100_000_000_000

function epochSeconds(written: number): Reset | null {
  return written >= 0 && written < EPOCH_SECONDS_MAX ? { kind: 'at', at: written * 1000 } : null
}
