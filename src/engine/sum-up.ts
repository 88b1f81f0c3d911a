import type { RunEffect } from '../core/model/effect.ts'
import type { RunReport } from '../core/model/input.ts'
import { isProblem } from '../core/model/problem.ts'
import { judgeName } from '../core/phases/judge-agent.ts'
import { cutSummary, readSummary, summaryQuestion } from '../core/prompts/milestone.ts'
import { askJudge } from './ask-judge.ts'
import { blobOf } from './blob.ts'
import type { PortsInUse } from './ports-in-use.ts'
import type { Performed } from './under-way.ts'

/** Sums a milestone up: by the judge, or from facts alone where there is none or it says nothing of use. */
export async function sumUp(
  ports: PortsInUse,
  { judge, agent, title, brief, facts }: Extract<RunEffect, { kind: 'sum-up-milestone' }>,
  signal: AbortSignal,
): Promise<Performed<RunReport> | null> {
  const asked = { ...summaryQuestion(title, brief, facts), read: readSummary }
  const written = judge === null ? null : await askJudge(ports, { judge, agent }, asked, signal)
  if (signal.aborted) return null
  if (judge === null || written === null) return summedUp(facts, 'facts', 'there is no judge')
  if (isProblem(written)) return summedUp(facts, 'facts', written.message)
  return summedUp(written, 'judge', `${judgeName(judge)} was asked`)
}

function summedUp(text: string, by: 'judge' | 'facts', why: string): Performed<RunReport> {
  const { digest: summary, blobs } = blobOf(cutSummary(text))
  return { report: { kind: 'summed-up', summary, by, why }, blobs }
}
