import { findingText } from '../../model/verdict.ts'
import type { RunState, TaskRecord } from '../../run/state.ts'
import { blockersOf } from '../../schedule/graph-queries.ts'
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
      const [blocker] = blockersOf(run.graph, task.id)
      return {
        message: `${blocker} failed.`,
        hint: `Run "longhaul retry ${blocker}"; ${task.id} starts once it has landed.`,
      }
    }
    case 'failed':
      return { message: failureText(record), hint: retryHint(task.id) }
    case 'done':
    case 'skipped':
      return null
    default:
      return last === null || last.outcome === 'landed'
        ? null
        : { message: failureText(record), hint: 'The next attempt gets this in its brief.' }
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
