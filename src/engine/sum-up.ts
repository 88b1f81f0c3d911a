import type { RunEffect } from '../core/model/effect.ts'
import type { RunReport } from '../core/model/input.ts'
import { isProblem } from '../core/model/problem.ts'
import { cutSummary, readSummary, summaryQuestion } from '../core/prompts/milestone.ts'
import { askJudge } from './ask-judge.ts'
import { blobOf } from './blob.ts'
import type { PortsInUse } from './ports-in-use.ts'
import type { Performed } from './under-way.ts'

/** Sums a milestone up: by the judge, or from facts alone where there is none or it says nothing of use. */
export async function sumUp(
  ports: PortsInUse,
  { judge, title, brief, facts }: Extract<RunEffect, { kind: 'sum-up-milestone' }>,
  signal: AbortSignal,
): Promise<Performed<RunReport> | null> {
  const asked = { ...summaryQuestion(title, brief, facts), read: readSummary }
  const written = judge === null ? null : await askJudge(ports, judge, asked, signal)
  if (signal.aborted) return null
  const isWritten = written !== null && !isProblem(written)
  const { digest: summary, blobs } = blobOf(cutSummary(isWritten ? written : facts))
  const why = isWritten ? `${judge?.model} was asked` : (written?.message ?? 'there is no judge')
  return { report: { kind: 'summed-up', summary, by: isWritten ? 'judge' : 'facts', why }, blobs }
}
