import type { TaskId } from '../model/ids.ts'
import { accepted, type Decision, type Request } from '../model/input.ts'
import type { Proposal, ProposalRecord } from '../model/proposal.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { Task } from '../model/task.ts'
import { addTasks } from './decide-add-tasks.ts'
import { refusal } from './refusal.ts'
import type { RunState } from './state.ts'

/** Adds a task that an agent proposed; the user has read it, so its commands may run. */
export function acceptProposal(
  state: RunState,
  { task: id, attemptsBefore, text }: Omit<Extract<Request, { kind: 'accept-proposal' }>, 'kind'>,
): Decision<RunEvent> {
  const record = state.proposals.get(id)
  if (record === undefined) return unknownProposal(state, id)
  const dependency = record.proposal.after.find((id) => state.proposals.has(id))
  if (dependency !== undefined) {
    return refusal(
      'proposal-waits',
      `${id} depends on ${dependency}, which is only a proposal.`,
      `Decide on ${dependency} first: longhaul show ${dependency}`,
    )
  }
  const backlog = { milestones: [], tasks: [taskOf(record.proposal)] }
  const added = addTasks(state, { backlog, attemptsBefore: { [id]: attemptsBefore } })
  if (added.kind === 'refused') return added
  const reopened: RunEvent[] =
    state.endedAt === null ? [] : [{ kind: 'run-reopened', reason: `proposed task ${id} was accepted` }]
  return accepted([...reopened, { kind: 'proposal-accepted', task: id, reason: byUser(text) }, ...added.events])
}

/** Declines a task that an agent proposed; no agent can propose it again in this run. */
export function declineProposal(
  state: RunState,
  { task: id, text }: Omit<Extract<Request, { kind: 'decline-proposal' }>, 'kind'>,
): Decision<RunEvent> {
  if (!state.proposals.has(id)) return unknownProposal(state, id)
  return accepted([{ kind: 'proposal-declined', task: id, reason: byUser(text) }])
}

/** Returns undecided proposals for the next run, without dependencies on tasks of this one. */
export function proposalsLeft({ proposals }: RunState): readonly ProposalRecord[] {
  return [...proposals.values()].map((record) => {
    const after = record.proposal.after.filter((id) => proposals.has(id))
    return { ...record, proposal: { ...record.proposal, after } }
  })
}

function byUser(text: string): string {
  return text.trim() === '' ? 'by the user' : `by the user: ${text.trim()}`
}

function taskOf(proposal: Proposal): Task {
  return { ...proposal, weight: 'small', type: null, milestone: null, priority: 0, files: [], mayChange: [] }
}

function unknownProposal({ proposals }: RunState, id: TaskId): Decision<never> {
  const known = [...proposals.keys()].join(', ')
  return refusal(
    'unknown-proposal',
    `There is no proposed task ${id}.`,
    known === '' ? 'See "longhaul status".' : `Proposed tasks: ${known}.`,
  )
}
