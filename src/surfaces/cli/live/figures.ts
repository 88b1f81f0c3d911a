import type { Estimate } from '../../../core/views/live/estimate.ts'

/** Formats a share as a percentage, with a gauge if it fits. */
export function contextText(share: number | null, width: number): string {
  if (share === null) return ''
  const percent = `${Math.round(share * 100)}%`
  if (width < GAUGE_ROOM) return percent
  const full = Math.min(GAUGE_STEPS, Math.round(share * GAUGE_STEPS))
  return `${'▰'.repeat(full)}${'▱'.repeat(GAUGE_STEPS - full)} ${percent.padStart(4)}`
}

const GAUGE_STEPS = 5
const GAUGE_ROOM = 13

/** Formats a large number briefly: 1.2k, 3M. */
export function shortNumber(value: number): string {
  if (value < 1_000) return `${value}`
  if (value < 1_000_000) return `${oneDigit(value / 1_000)}k`
  return `${oneDigit(value / 1_000_000)}M`
}

/** Formats the estimated time left. */
export function estimateText(estimate: Estimate): string {
  switch (estimate.kind) {
    case 'none':
      return ''
    case 'unknown':
      return 'time left: not known yet'
    case 'range':
      return rangeText(estimate.fromMs, estimate.toMs)
  }
}

function rangeText(fromMs: number, toMs: number): string {
  const [unit, name] = toMs < 90_000 ? [1_000, 's'] : toMs < 6_000_000 ? [60_000, 'min'] : [3_600_000, 'h']
  const [from, to] = [rounded(fromMs / unit, name), rounded(toMs / unit, name)]
  if (from === to) return `about ${to} ${name} left`
  return from === '0' ? `up to ${to} ${name} left` : `${from}–${to} ${name} left`
}

function rounded(value: number, unit: string): string {
  if (unit === 's') return `${Math.ceil(value / 5) * 5}`
  return unit === 'h' && value < 10 ? oneDigit(value) : `${Math.round(value)}`
}

function oneDigit(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '')
}
