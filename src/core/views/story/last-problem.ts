import { findingText } from '../../model/verdict.ts'
import { firstBlocker } from '../../run/first-blocker.ts'
import type { RunState, TaskRecord } from '../../run/state.ts'
import { firstFinding, oneLine } from '../line-parts.ts'

/** Latest problem of a task, and how to solve it. */
export interface TaskProblem {
  readonly message: string
  readonly hint: string
}

/** Returns the problem that matters most to the user, or null. */
export function lastProblem(run: RunState, record: TaskRecord): TaskProblem | null {
  const { task, standing, live, last, verdict } = record
  const wait = live === null ? null : (run.attempts.get(live)?.wait ?? null)
  if (wait?.kind === 'person') return { message: oneLine(wait.question), hint: wait.hint }
  switch (standing) {
    case 'needs-person':
      return verdict === null ? null : { message: oneLine(verdict.reason), hint: verdict.hint }
    case 'blocked': {
      const { name, text, hint } = firstBlocker(run, task.id)
      return { message: `${name} ${text}.`, hint }
    }
    case 'failed':
      return { message: failureText(record), hint: retryHint(task.id) }
    case 'done':
      return record.revert?.kind === 'refused' ? notReverted(task.id, record.revert.reason) : null
    case 'skipped':
    case 'reverted':
      return null
    default:
      return last === null || last.outcome === 'landed'
        ? null
        : { message: failureText(record), hint: 'The next attempt gets this in its brief.' }
  }
}

function notReverted(task: string, reason: string): TaskProblem {
  return {
    message: `It was not reverted: ${oneLine(reason)}`,
    hint: `To try again: longhaul revert ${task}`,
  }
}

function failureText({ verdict, last }: TaskRecord): string {
  const reason = oneLine(verdict?.reason ?? last?.reason ?? 'no reason given')
  const [first] = last?.findings ?? []
  if (first === undefined || reason.includes(oneLine(findingText(first)))) return reason
  return `${reason} (${firstFinding(last?.findings ?? [])})`
}

function retryHint(task: string): string {
  return `Run "longhaul retry ${task}" to try again; "longhaul show ${task} --dossier" shows what was tried.`
}
