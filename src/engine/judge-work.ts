import type { AttemptEffect } from '../core/model/effect.ts'
import type { AttemptReport } from '../core/model/input.ts'
import { isProblem } from '../core/model/problem.ts'
import { opinionQuestion, readOpinion } from '../core/prompts/opinion.ts'
import { askJudge } from './ask-judge.ts'
import type { PortsInUse } from './ports-in-use.ts'
import type { Performed } from './under-way.ts'

/** Asks the judge about work that has passed its checks; whatever it does, there is something to report. */
export async function judgeWork(
  ports: PortsInUse,
  { spec, commit, judge, receipts }: Extract<AttemptEffect, { kind: 'ask-judge' }>,
  signal: AbortSignal,
): Promise<Performed<AttemptReport> | null> {
  const patch = await ports.landing.patch(spec.target, commit)
  const asked = isProblem(patch)
    ? patch
    : await askJudge(
        ports,
        { judge, agent: spec.agent },
        { ...opinionQuestion(spec.tasks, receipts, patch), read: readOpinion },
        signal,
      )
  if (signal.aborted) return null
  if (isProblem(asked)) return { report: { kind: 'opinion', opinion: null, why: asked.message } }
  return { report: { kind: 'opinion', opinion: asked, why: asked.why } }
}
