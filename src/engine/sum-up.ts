import type { RunEffect } from '../core/model/effect.ts'
import type { RunReport } from '../core/model/input.ts'
import { isProblem } from '../core/model/problem.ts'
import type { JudgeUsage } from '../core/model/round.ts'
import { judgeName } from '../core/phases/judge-agent.ts'
import { cutSummary, readSummary, summaryQuestion } from '../core/prompts/milestone.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import { askJudge } from './ask-judge.ts'
import { blobOf } from './blob.ts'
import type { Performed } from './under-way.ts'

/** Sums a milestone up: by the judge, or from facts alone where there is none or it says nothing of use. */
export async function sumUp(
  ports: EnginePorts,
  { judge, whyUnasked, agent, title, brief, facts }: Extract<RunEffect, { kind: 'summarize-milestone' }>,
  signal: AbortSignal,
): Promise<Performed<RunReport> | null> {
  const asked = { ...summaryQuestion(title, brief, facts), read: readSummary }
  const calls = new Map<string, JudgeUsage>()
  const used = (usage: JudgeUsage) => void calls.set(usage.message ?? ports.clock.uuid(), usage)
  const written = judge === null ? null : await askJudge(ports, { judge, agent }, asked, signal, used)
  if (signal.aborted) return null
  const all = [...calls.values()]
  if (judge === null || written === null) return summedUp(facts, 'facts', whyUnasked, all)
  if (isProblem(written)) return summedUp(facts, 'facts', written.message, all)
  return summedUp(written, 'judge', `${judgeName(judge)} was asked`, all)
}

function summedUp(text: string, by: 'judge' | 'facts', why: string, used: readonly JudgeUsage[]): Performed<RunReport> {
  const { digest: summary, blobs } = blobOf(cutSummary(text))
  return { report: { kind: 'summarized', summary, by, why, used }, blobs }
}
