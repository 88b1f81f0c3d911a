import { withKnowledge } from '../knowledge/keep-knowledge.ts'
import type { RunEvent } from '../model/run-event.ts'
import { attemptOf, type RunState } from './state.ts'

/** What an agent has said for others than itself. */
export type SaidFact = Extract<RunEvent, { kind: 'task-proposed' | 'knowledge-recorded' }>

/** Takes what an agent has said for others than itself into a run's state. */
export function evolveSaid(state: RunState, event: SaidFact, at: number): void {
  const record = attemptOf(state, event.attempt)
  record.seq = event.seq
  if (event.kind === 'task-proposed') {
    const { proposal, attempt } = event
    state.proposals.set(proposal.id, { proposal, task: record.task, attempt, at })
  } else state.knowledge = withKnowledge(state.knowledge, { ...event.knowledge, task: record.task })
}
