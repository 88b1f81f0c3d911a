import type { AttemptEffect, RunEffect } from '../core/model/effect.ts'
import type { AttemptReport, RunReport } from '../core/model/input.ts'
import { isProblem } from '../core/model/problem.ts'
import type { JudgeUsage, UsageReport } from '../core/model/round.ts'
import { judgeName } from '../core/phases/judge-agent.ts'
import { cutSummary, readSummary, summaryQuestion } from '../core/prompts/milestone.ts'
import { opinionQuestion, readOpinion } from '../core/prompts/opinion.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import { askJudge } from './ask-judge.ts'
import { blobOf, type EffectResult } from './effect-result.ts'
import type { OpenAttempt } from './open-attempt.ts'

/** Asks the judge about work that has passed its checks; a problem counts as no opinion. */
export async function performOpinion(
  ports: EnginePorts,
  { spec, commit, judge, receipts }: Extract<AttemptEffect, { kind: 'ask-judge' }>,
  attempt: OpenAttempt,
  signal: AbortSignal,
): Promise<EffectResult<AttemptReport> | null> {
  const patch = await ports.landing.patch(spec.target, commit)
  const onUsage = (usage: JudgeUsage) =>
    void attempt.post({ kind: 'usage', usage: usageReport(usage, ports.clock.uuid()) })
  const opinion = isProblem(patch)
    ? patch
    : await askJudge(
        ports,
        { judge, agent: spec.agent },
        { ...opinionQuestion(spec.tasks, receipts, patch), read: readOpinion },
        signal,
        onUsage,
      )
  if (signal.aborted) return null
  if (isProblem(opinion)) return { report: { kind: 'opinion', opinion: null, why: opinion.message } }
  return { report: { kind: 'opinion', opinion, why: opinion.why } }
}

/** Counts a judge's call like a subagent's: it costs money but is not a turn of the agent. */
function usageReport({ message, ...usage }: JudgeUsage, id: string): UsageReport {
  return { ...usage, session: 'judge', message: message ?? id, scope: 'subagent', window: null }
}

/** Summarizes a milestone: by the judge, or from facts when there is no judge or no usable answer. */
export async function performSummary(
  ports: EnginePorts,
  { judge, whyNoJudge, agent, title, brief, facts }: Extract<RunEffect, { kind: 'summarize-milestone' }>,
  signal: AbortSignal,
): Promise<EffectResult<RunReport> | null> {
  const question = { ...summaryQuestion(title, brief, facts), read: readSummary }
  const usageByMessage = new Map<string, JudgeUsage>()
  const onUsage = (usage: JudgeUsage) => void usageByMessage.set(usage.message ?? ports.clock.uuid(), usage)
  const summary = judge === null ? null : await askJudge(ports, { judge, agent }, question, signal, onUsage)
  if (signal.aborted) return null
  const used = [...usageByMessage.values()]
  if (judge === null || summary === null) return summaryResult(facts, 'facts', whyNoJudge, used)
  if (isProblem(summary)) return summaryResult(facts, 'facts', summary.message, used)
  return summaryResult(summary, 'judge', `${judgeName(judge)} was asked`, used)
}

function summaryResult(
  text: string,
  by: 'judge' | 'facts',
  why: string,
  used: readonly JudgeUsage[],
): EffectResult<RunReport> {
  const { digest: summary, blobs } = blobOf(cutSummary(text))
  return { report: { kind: 'summarized', summary, by, why, used }, blobs }
}
