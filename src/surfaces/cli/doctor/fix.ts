import { isProblem } from '../../../core/model/problem.ts'
import type { Diagnosis, Examined } from './diagnosis.ts'

/** A finding about which nothing was done. */
export function untouched(finding: Diagnosis): Examined {
  return { ...finding, fixed: null }
}

/** Mends what can be mended, one after another, and says what was done. */
export async function mended(findings: readonly Diagnosis[]): Promise<readonly Examined[]> {
  const all: Examined[] = []
  for (const finding of findings) all.push(finding.fix === null ? untouched(finding) : await mend(finding, finding.fix))
  return all
}

async function mend(finding: Diagnosis, fix: NonNullable<Diagnosis['fix']>): Promise<Examined> {
  const done = await fix()
  if (isProblem(done)) return untouched({ ...finding, state: 'bad', message: done.message, hint: done.hint })
  return { ...finding, state: 'ok', hint: '', fixed: done }
}
