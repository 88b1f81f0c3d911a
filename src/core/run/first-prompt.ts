import { knowledgeFor } from '../knowledge/knowledge-for.ts'
import { attemptIdOf, type Commit, type TaskId } from '../model/ids.ts'
import { openingPrompt } from '../prompts/round-prompts.ts'
import { attemptLimits } from './attempt-limits.ts'
import { attemptSpec } from './attempt-spec.ts'
import { retryBriefFor } from './start-next-task.ts'
import { type AttemptRecord, type RunState, type TaskRecord, taskOf } from './state.ts'

/** Returns the first prompt of a task's next attempt, from the current state. */
export function firstPrompt(state: RunState, task: TaskId): string {
  const record = taskOf(state, task)
  const live = record.live === null ? undefined : state.attempts.get(record.live)
  const spec = attemptSpec(state, live ?? nextAttempt(state, record))
  const phase = spec.workflow.phases.find(({ by }) => by === 'agent')?.name ?? ''
  return openingPrompt({
    spec,
    phase,
    phaseRounds: {},
    cause: { kind: 'brief' },
    commit: null,
    alreadyGreen: spec.alreadyGreen ?? [],
    findings: [],
    receipts: [],
    handOff: null,
    outputs: new Map(),
    review: null,
  })
}

function nextAttempt(state: RunState, record: TaskRecord): AttemptRecord {
  const { task, attemptsBefore, started } = record
  const number = attemptsBefore + started + 1
  return {
    attempt: attemptIdOf(task.id, number),
    task: task.id,
    number,
    base: state.line?.line ?? ('' as Commit),
    allowance: null,
    retryBrief: retryBriefFor(record),
    knowledge: knowledgeFor(state.knowledge, task),
    limits: attemptLimits(state, record),
    credential: '',
    startedAt: 0,
    standing: 'working',
    holdsSlot: true,
    stretch: 1,
    seq: 0,
    wait: null,
    reason: '',
    commit: null,
    tree: null,
    allowed: new Set(),
  }
}
