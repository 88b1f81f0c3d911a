import type { TaskId } from '../model/ids.ts'
import { accepted, type Decision, type Request } from '../model/input.ts'
import type { Proposal, ProposalRecord } from '../model/proposal.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { Task } from '../model/task.ts'
import { addTasks } from './decide-add-tasks.ts'
import { refusal } from './refusal.ts'
import type { RunState } from './state.ts'

/** Adds a task that an agent proposed: a person has read it, and from now on its commands may run. */
export function acceptProposal(
  state: RunState,
  { task: id, attemptsBefore, text }: Omit<Extract<Request, { kind: 'accept-proposal' }>, 'kind'>,
): Decision<RunEvent> {
  const record = state.proposals.get(id)
  if (record === undefined) return unknownProposal(state, id)
  const first = record.proposal.after.find((one) => state.proposals.has(one))
  if (first !== undefined) {
    return refusal(
      'proposal-waits',
      `${id} comes after ${first}, which is only proposed itself.`,
      `Decide on ${first} first: longhaul show ${first}`,
    )
  }
  const backlog = { milestones: [], tasks: [taskOf(record.proposal)] }
  const added = addTasks(state, { backlog, attemptsBefore: { [id]: attemptsBefore } })
  if (added.kind === 'refused') return added
  const reopened: RunEvent[] =
    state.endedAt === null ? [] : [{ kind: 'run-reopened', reason: `${id}, a proposed task, was accepted` }]
  return accepted([...reopened, { kind: 'proposal-accepted', task: id, reason: byPerson(text) }, ...added.events])
}

/** Does without a task that an agent proposed; no agent can propose it again in this run. */
export function declineProposal(
  state: RunState,
  { task: id, text }: Omit<Extract<Request, { kind: 'decline-proposal' }>, 'kind'>,
): Decision<RunEvent> {
  if (!state.proposals.has(id)) return unknownProposal(state, id)
  return accepted([{ kind: 'proposal-declined', task: id, reason: byPerson(text) }])
}

/** What no person has decided on, for the next run, which has none of this one's tasks to wait for. */
export function proposalsLeft({ proposals }: RunState): readonly ProposalRecord[] {
  return [...proposals.values()].map((record) => {
    const after = record.proposal.after.filter((one) => proposals.has(one))
    return { ...record, proposal: { ...record.proposal, after } }
  })
}

function byPerson(text: string): string {
  return text.trim() === '' ? 'decided by a person' : `decided by a person: ${text.trim()}`
}

function taskOf(proposal: Proposal): Task {
  return { ...proposal, weight: 'small', type: null, milestone: null, priority: 0, files: [] }
}

function unknownProposal({ proposals }: RunState, id: TaskId): Decision<never> {
  const known = [...proposals.keys()].join(', ')
  return refusal(
    'unknown-proposal',
    `No task ${id} waits to be decided on.`,
    known === '' ? 'See "longhaul status".' : `These do: ${known}.`,
  )
}
