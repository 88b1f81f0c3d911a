import { type AttemptState, specOf } from '../attempt/state.ts'
import type { Proposal } from '../model/proposal.ts'
import type { RecordedCall } from '../model/tool-call.ts'
import type { RunState } from '../run/state.ts'

/** Returns the answer to a recorded call. */
export function recordedText(call: RecordedCall): string {
  switch (call.kind) {
    case 'report':
      return CLAIMED[call.claim.kind]
    case 'ask':
      return 'A person will be asked. Stop working now; the answer comes with your next prompt.'
    case 'progress':
      return 'Recorded.'
    case 'note':
      return call.quality === 'whole'
        ? 'Saved for the next session of this task.'
        : 'Saved, but incomplete: it needs goal, completed, remaining, do not redo, decisions.'
    case 'propose':
      return `Recorded. A person decides on ${call.proposal.id}; do not work on it yourself.`
    case 'learn':
      return 'Recorded for later tasks.'
    case 'review':
    case 'qa':
      return 'Recorded. The last report counts; end your answer now.'
  }
}

/** Returns the reason why a proposal's id is not available, or null when it is. */
export function whyNotProposed({ id }: Proposal, run: RunState, attempt: AttemptState): string | null {
  if (run.tasks.has(id)) return `task ${id} already exists; choose another id or drop the proposal`
  if (run.declined.has(id)) return `a person has declined ${id}; drop the proposal`
  const known = run.proposals.get(id)
  const isOwn = known === undefined || specOf(attempt).tasks.some((task) => task.id === known.task)
  return isOwn ? null : `${known.task} has already proposed ${id}`
}

const CLAIMED = {
  done: 'Recorded. Longhaul checks the work when you end your answer; end it now.',
  continue: 'Recorded. End your answer; the next prompt asks you to continue.',
  blocked: 'Recorded. Stop now: a person will be asked.',
} as const
