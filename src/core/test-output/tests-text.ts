import type { Receipt, TestCounts } from '../model/verdict.ts'

/** How many tests passed, failed and were skipped, and who says so. */
export function testsText({ framework, passed, failed, skipped }: TestCounts): string {
  const counts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  return `${counts.join(', ')} (${framework})`
}

/** What a check's output said of tests and coverage; empty: nothing. */
export function testedText({ tests, coverage }: Pick<Receipt, 'tests' | 'coverage'>): string {
  const covered = coverage === null ? [] : [`${percentText(coverage)} of lines covered`]
  return [...(tests === null ? [] : [testsText(tests)]), ...covered].join(', ')
}

/** A share as people write it. */
export function percentText(share: number): string {
  return `${Math.round(share * 1000) / 10} %`
}
