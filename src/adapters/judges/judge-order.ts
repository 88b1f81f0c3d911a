import type { RoundOrder } from '../../core/model/effect.ts'
import type { AttemptId, SessionId, TaskId } from '../../core/model/ids.ts'
import type { Task } from '../../core/model/task.ts'
import { JUDGE_HEADING, JUDGE_PHASE } from '../../core/phases/judge-agent.ts'
import type { Question } from '../../ports/judge.ts'

// One for the answer, one for an agent that looks for a tool first and finds none.
const TURNS_MAX = 2

/** The round in which an agent answers as a judge: a session of its own, and nothing to go on with. */
export function judgeOrder({ judge, agent, system, prompt }: Question, round: number, session: SessionId): RoundOrder {
  const text = `${JUDGE_HEADING}\n\n${system}\n\n${prompt}`
  return {
    attempt: JUDGE_PHASE as AttemptId,
    task: TASK,
    number: 1,
    phase: JUDGE_PHASE,
    role: 'reviewer',
    phaseRound: round,
    round,
    session,
    sessionKnown: false,
    prompt: text,
    opening: text,
    texts: [],
    noteRequest: '',
    context: { policy: 'hand-off', guidance: '' },
    agent,
    turnsMax: TURNS_MAX,
    silenceMs: judge.timeoutMs,
    hookMs: 0,
    budgetUsd: null,
    hooks: { afterCreate: null, beforeRun: null, afterRun: null, beforeRemove: null },
  }
}

const TASK: Task = {
  id: JUDGE_PHASE as TaskId,
  title: 'To judge',
  brief: '',
  after: [],
  weight: 'trivial',
  type: null,
  milestone: null,
  priority: 0,
  acceptance: [],
  verify: [],
  files: [],
}
