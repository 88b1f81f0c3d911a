import type { PersonWait } from '../../model/attempt.ts'
import type { TaskId } from '../../model/ids.ts'
import type { Request } from '../../model/input.ts'
import { decideRequest } from '../../run/decide-request.ts'
import { type RunState, taskOf } from '../../run/state.ts'
import { dependentsOf } from '../../schedule/graph-queries.ts'
import { counted } from '../line-parts.ts'

/** Command that the user can run on a task now. */
export interface NextCommand {
  readonly command: string
  /** Effect of the command. */
  readonly does: string
}

/** Returns the commands on a task that would be accepted now. */
export function nextCommands(run: RunState, task: TaskId): readonly NextCommand[] {
  return offersFor(run, task).flatMap(({ request, words, does }) => {
    const isAccepted = decideRequest(run, request).kind === 'accepted'
    return isAccepted ? [{ command: `longhaul ${words}`, does }] : []
  })
}

interface Offer {
  readonly request: Request
  readonly words: string
  readonly does: string
}

function offersFor(run: RunState, task: TaskId): readonly Offer[] {
  const { live } = taskOf(run, task)
  const wait = live === null ? null : (run.attempts.get(live)?.wait ?? null)
  const reply = (kind: 'approved' | 'rejected' | 'answered'): Request => {
    return { kind: 'answer', task, answer: { kind, text: 'TEXT' } }
  }
  return [
    { request: reply('approved'), words: `approve ${task}`, does: approvalText(wait?.kind === 'person' ? wait : null) },
    {
      request: reply('rejected'),
      words: `reject ${task} TEXT`,
      does: 'sends the work back to be fixed, with your text',
    },
    {
      request: reply('answered'),
      words: `answer ${task} TEXT`,
      does: 'sends your answer to the agent, which continues where it stopped',
    },
    {
      request: { kind: 'steer', task, text: 'TEXT' },
      words: `steer ${task} TEXT`,
      does: 'sends a message to the next agent that works on it; run it before the command that continues the task',
    },
    { request: { kind: 'retry', task }, words: `retry ${task}`, does: retryText(live !== null) },
    { request: { kind: 'skip', task }, words: `skip ${task}`, does: skipText(run, task) },
    {
      request: { ...REVERT, task, dependents: 'keep' },
      words: `revert ${task}`,
      does: 'reverts the landed work with a new commit, which is checked like any other',
    },
  ]
}

const REVERT = { kind: 'revert', resting: [], carried: [] } as const

function approvalText(wait: PersonWait | null): string {
  if (wait !== null && wait.allows.length > 0) return 'accepts exactly these findings and continues'
  return wait?.approvalPoint === 'landing' ? 'lets it land' : 'accepts the work as it is and continues'
}

function retryText(isLive: boolean): string {
  const starts = 'starts a new attempt, which gets the findings of this one'
  return isLive ? `abandons this attempt, keeps its work and ${starts}` : starts
}

function skipText({ graph }: RunState, task: TaskId): string {
  const dependents = dependentsOf(graph, task).length
  return dependents === 0
    ? 'skips the task'
    : `skips the task; ${counted(dependents, 'dependent task')} can start without it`
}
