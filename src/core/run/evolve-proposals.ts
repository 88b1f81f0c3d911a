import { addKnowledge } from '../knowledge/keep-knowledge.ts'
import type { AttemptId, TaskId } from '../model/ids.ts'
import type { RunEvent } from '../model/run-event.ts'
import { attemptOf, type RunState } from './state.ts'

type SharedFact = Extract<
  RunEvent,
  { kind: 'task-proposed' | 'knowledge-recorded' | 'proposal-accepted' | 'proposal-declined' }
>

/** Folds proposals and knowledge of agents into a run's state. */
export function evolveProposals(state: RunState, event: SharedFact, at: number): void {
  switch (event.kind) {
    case 'task-proposed': {
      const { proposal, attempt } = event
      state.proposals.set(proposal.id, { proposal, task: advanceTo(state, attempt, event.seq), attempt, at })
      return
    }
    case 'knowledge-recorded': {
      const task = advanceTo(state, event.attempt, event.seq)
      state.knowledge = addKnowledge(state.knowledge, { ...event.knowledge, task })
      return
    }
    case 'proposal-declined':
      state.proposals.delete(event.task)
      state.declined.add(event.task)
      return
    case 'proposal-accepted':
      // The `task-added` fact that follows replaces the proposal.
      return
  }
}

/** Advances the attempt's ledger position and returns its task. */
function advanceTo(state: RunState, attempt: AttemptId, seq: number): TaskId {
  const record = attemptOf(state, attempt)
  record.seq = seq
  return record.task
}
