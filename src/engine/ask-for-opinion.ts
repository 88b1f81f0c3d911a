import type { AttemptEffect } from '../core/model/effect.ts'
import type { AttemptReport } from '../core/model/input.ts'
import { isProblem } from '../core/model/problem.ts'
import type { JudgeUsage, UsageReport } from '../core/model/round.ts'
import { opinionQuestion, readOpinion } from '../core/prompts/opinion.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import { askJudge } from './ask-judge.ts'
import type { RoundVoices } from './perform-round.ts'
import type { Performed } from './under-way.ts'

/** Asks the judge about work that has passed its checks; whatever it does, there is something to report. */
export async function askForOpinion(
  ports: EnginePorts,
  { spec, commit, judge, receipts }: Extract<AttemptEffect, { kind: 'ask-judge' }>,
  say: RoundVoices['say'],
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
        (usage) => say({ kind: 'usage', usage: asUsage(usage, ports.clock.uuid()) }),
      )
  if (signal.aborted) return null
  if (isProblem(asked)) return { report: { kind: 'opinion', opinion: null, why: asked.message } }
  return { report: { kind: 'opinion', opinion: asked, why: asked.why } }
}

/** Its call costs money like a subagent's, and is no turn of the agent's. */
function asUsage({ message, ...usage }: JudgeUsage, id: string): UsageReport {
  return { ...usage, session: 'judge', message: message ?? id, scope: 'subagent', window: null }
}
