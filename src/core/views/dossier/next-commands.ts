import type { PersonWait } from '../../model/attempt.ts'
import type { TaskId } from '../../model/ids.ts'
import type { Request } from '../../model/input.ts'
import { decideRequest } from '../../run/decide-request.ts'
import { type RunState, taskOf } from '../../run/state.ts'
import { dependentsOf } from '../../schedule/graph.ts'
import { counted } from '../line-parts.ts'

/** Something that a person can do about a task now. */
export interface NextCommand {
  readonly command: string
  /** What it comes to. */
  readonly does: string
}

/** The commands about a task that would be accepted as things stand. */
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
  const said = (kind: 'approved' | 'rejected' | 'answered'): Request => {
    return { kind: 'answer', task, answer: { kind, text: 'TEXT' } }
  }
  return [
    { request: said('approved'), words: `approve ${task}`, does: approvalText(wait?.kind === 'person' ? wait : null) },
    {
      request: said('rejected'),
      words: `reject ${task} TEXT`,
      does: 'sends it back with your words, to be mended where it was done',
    },
    {
      request: said('answered'),
      words: `answer ${task} TEXT`,
      does: 'tells the agent, which goes on where it stopped',
    },
    {
      request: { kind: 'steer', task, text: 'TEXT' },
      words: `steer ${task} TEXT`,
      does: 'tells whoever works on it next; say it before what lets it go on',
    },
    { request: { kind: 'retry', task }, words: `retry ${task}`, does: retryText(live !== null) },
    { request: { kind: 'skip', task }, words: `skip ${task}`, does: skipText(run, task) },
    {
      request: { kind: 'revert', task },
      words: `revert ${task}`,
      does: 'takes what it landed back, with a commit that is checked like any other',
    },
  ]
}

function approvalText(wait: PersonWait | null): string {
  if (wait !== null && wait.allows.length > 0) return 'lets exactly these findings be, and the work go on'
  return wait?.gate === 'landing' ? 'lets it land' : 'lets the work go on as it is'
}

function retryText(isLive: boolean): string {
  const starts = 'starts a new attempt, which is told of the one before'
  return isLive ? `gives this attempt up, keeps its work, and ${starts}` : starts
}

function skipText({ graph }: RunState, task: TaskId): string {
  const behind = dependentsOf(graph, task).length
  return behind === 0 ? 'does without it' : `does without it; ${counted(behind, 'task')} behind it can go on`
}
