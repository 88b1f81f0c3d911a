import { type AttemptState, specOf } from '../attempt/state.ts'
import type { Proposal } from '../model/proposal.ts'
import type { RecordedCall } from '../model/tool-call.ts'
import type { RunState } from '../run/state.ts'

/** What an agent is told when what it said is recorded. */
export function recordedText(call: RecordedCall): string {
  switch (call.kind) {
    case 'report':
      return CLAIMED[call.claim.kind]
    case 'ask':
      return 'A person will be asked. Stop now, without further work: the answer comes with your next prompt.'
    case 'progress':
      return 'Recorded.'
    case 'note':
      return call.quality === 'whole'
        ? 'Kept for whoever goes on with this task.'
        : 'Kept. It lacks some of: goal, completed, remaining, do not redo, decisions.'
    case 'propose':
      return `Recorded: a person decides about ${call.proposal.id}. Do not work on it yourself.`
    case 'learn':
      return 'Recorded for later tasks.'
    case 'review':
    case 'qa':
      return 'Recorded. The latest counts; end your answer now.'
  }
}

/** Why a task cannot be proposed under its id; null: it can. */
export function whyNotProposed({ id }: Proposal, run: RunState, attempt: AttemptState): string | null {
  if (run.tasks.has(id)) return `there is a task ${id} already; choose another id, or do without it`
  if (run.declined.has(id)) return `a person has decided against ${id}; do without it`
  const known = run.proposals.get(id)
  const isOwn = known === undefined || specOf(attempt).tasks.some((task) => task.id === known.task)
  return isOwn ? null : `${id} has been proposed already, in ${known.task}`
}

const CLAIMED = {
  done: 'Recorded. We check the work ourselves when you end your answer; end it now.',
  continue: 'Recorded. End your answer; you will be asked to go on.',
  blocked: 'Recorded. Stop now: a person will be asked.',
} as const
