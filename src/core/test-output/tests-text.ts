import type { Receipt, TestCounts } from '../model/verdict.ts'

/** Formats test counts and their framework: "12 passed, 1 failed (vitest)". */
export function testsText({ framework, passed, failed, skipped }: TestCounts): string {
  const counts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  return `${counts.join(', ')} (${framework})`
}

/** Formats a receipt's tests and coverage; empty when its output had neither. */
export function testedText({ tests, coverage }: Pick<Receipt, 'tests' | 'coverage'>): string {
  const covered = coverage === null ? [] : [`${percentText(coverage)} of lines covered`]
  return [...(tests === null ? [] : [testsText(tests)]), ...covered].join(', ')
}

/** Formats a share as a percentage: "83.3%". */
export function percentText(share: number): string {
  return `${Math.round(share * 1000) / 10}%`
}
