import type { Checker } from './checker.ts'

/** A report whose effect is not due changes nothing. */
export const noStaleReports: Checker = ({ world }) =>
  world.trace.stale
    .filter(({ outcome }) => outcome !== '')
    .map(({ effect, outcome }) => `a stale report of ${effect} caused: ${outcome}`)
