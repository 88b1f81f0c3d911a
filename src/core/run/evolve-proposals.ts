import { addKnowledge } from '../knowledge/keep-knowledge.ts'
import type { AttemptId, TaskId } from '../model/ids.ts'
import type { RunEvent } from '../model/run-event.ts'
import { attemptOf, type RunState } from './state.ts'

/** What agents have said for others than themselves, and what a person made of it. */
type SaidFact = Extract<
  RunEvent,
  { kind: 'task-proposed' | 'knowledge-recorded' | 'proposal-accepted' | 'proposal-declined' }
>

/** Takes what an agent has said for others than itself into a run's state. */
export function evolveProposals(state: RunState, event: SaidFact, at: number): void {
  switch (event.kind) {
    case 'task-proposed': {
      const { proposal, attempt } = event
      state.proposals.set(proposal.id, { proposal, task: heard(state, attempt, event.seq), attempt, at })
      return
    }
    case 'knowledge-recorded': {
      const task = heard(state, event.attempt, event.seq)
      state.knowledge = addKnowledge(state.knowledge, { ...event.knowledge, task })
      return
    }
    case 'proposal-declined':
      state.proposals.delete(event.task)
      state.declined.add(event.task)
      return
    case 'proposal-accepted':
      // The task that is added takes its place.
      return
  }
}

/** How far the attempt has been heard, and which task it works on. */
function heard(state: RunState, attempt: AttemptId, seq: number): TaskId {
  const record = attemptOf(state, attempt)
  record.seq = seq
  return record.task
}
