import { type AttemptState, specOf } from '../attempt/state.ts'
import { occupancy } from '../context/occupancy.ts'
import { knowledgeLine } from '../knowledge/keep-knowledge.ts'
import { findKnowledge } from '../knowledge/knowledge-for.ts'
import type { TaskId } from '../model/ids.ts'
import type { Task } from '../model/task.ts'
import type { BacklogQuery, ReadCall, ToolAnswer } from '../model/tool-call.ts'
import { checksOf } from '../phases/own-checks.ts'
import { findingsText } from '../prompts/findings-text.ts'
import type { RunState } from '../run/state.ts'

/** State that an agent's read calls can see: its own attempt and the run. */
export interface ToolContext {
  readonly attempt: AttemptState
  readonly run: RunState
}

/** Answers a read call of an agent. */
export function answerReadCall(call: ReadCall, { attempt, run }: ToolContext): ToolAnswer {
  switch (call.kind) {
    case 'task':
      return taskAnswer(call.id, attempt, run)
    case 'backlog':
      return answer(backlogText(run, call))
    case 'checks':
      return answer(checksText(attempt))
    case 'findings':
      return answer(findingsText(attempt.findings) || 'No open findings.')
    case 'limits':
      return answer(limitsText(attempt))
    case 'recall': {
      const entries = findKnowledge(run.knowledge, call.words).slice(0, RECALLED_MAX)
      return answer(entries.map(knowledgeLine).join('\n') || 'No recorded lesson has these words.')
    }
  }
}

const PAGE_SIZE = 200
const RECALLED_MAX = 20

function taskAnswer(id: TaskId | null, attempt: AttemptState, run: RunState): ToolAnswer {
  if (id === null)
    return answer(
      specOf(attempt)
        .tasks.map((task) => taskText(task, run))
        .join('\n\n'),
    )
  const record = run.tasks.get(id)
  if (record !== undefined) return answer(taskText(record.task, run))
  return { isRefused: true, text: `No task has the id ${id}; "backlog" lists all tasks.` }
}

function taskText(task: Task, run: RunState): string {
  const { id, title, brief, after, acceptance, verify, files } = task
  const lists = { 'Accepted when': acceptance, 'These commands must pass': verify, Files: files }
  return [
    `# ${id}: ${title}`,
    `State: ${run.tasks.get(id)?.standing ?? 'unknown'}. After: ${after.join(', ') || 'nothing'}.`,
    brief,
    ...Object.entries(lists).flatMap(([head, lines]) => (lines.length === 0 ? [] : `${head}:\n${bullets(lines)}`)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function backlogText(run: RunState, { filter, page }: BacklogQuery): string {
  const known = [...run.tasks.values()].map(({ task, standing }) => `${task.id} [${standing}] ${task.title}`)
  const proposed = [...run.proposals.values()].map(({ proposal }) => `${proposal.id} [proposed] ${proposal.title}`)
  const wanted = filter?.toLowerCase() ?? ''
  const lines = [...known, ...proposed].filter((line) => line.toLowerCase().includes(wanted))
  if (lines.length === 0) return 'No task matches.'
  const pages = Math.ceil(lines.length / PAGE_SIZE)
  const shown = lines.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return [`${lines.length} tasks, page ${page} of ${pages}:`, ...shown].join('\n')
}

function checksText(attempt: AttemptState): string {
  const { gates, tasks } = specOf(attempt)
  const lines = checksOf(gates, tasks).map(({ name, run }) => `${name}: ${run}`)
  const protect = gates.flatMap((gate) => gate.protect)
  if (lines.length === 0) return 'No command checks this work.'
  const guarded = protect.length === 0 ? '' : `\nFiles that you must not change: ${protect.join(', ')}`
  return `These commands check your work, here and again after the merge:\n${bullets(lines)}${guarded}`
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n')
}

function answer(text: string): ToolAnswer {
  return { isRefused: false, text }
}

/** Returns what is left of a round's limits, for the agent to plan with. */
function limitsText(attempt: AttemptState): string {
  return [turnsText(attempt), moneyText(attempt), roomText(attempt)].join('\n')
}

function turnsText({ doing, roundTurns }: AttemptState): string {
  if (doing.kind !== 'round') return 'No round is running.'
  return `Turns: ${roundTurns} of ${doing.turnsMax} in this round.`
}

function moneyText(attempt: AttemptState): string {
  const { allowance } = specOf(attempt)
  const spent = `$${attempt.totals.usd.toFixed(2)}`
  if (allowance === null) return `Money: ${spent} spent, no limit.`
  return `Money: ${spent} of $${allowance.usd.toFixed(2)}, the ${allowance.budget} budget's share for this attempt.`
}

function roomText(attempt: AttemptState): string {
  const { context } = specOf(attempt)
  const { used = null, window = null } = attempt.session ?? {}
  const held = occupancy(used, window, context)
  if (held === null) return 'Room in your session: unknown.'
  const isHandedOver = context.policy === 'hand-off' && context.handOff <= 1
  const then = isHandedOver ? `; at ${percent(context.handOff)} you hand over to a fresh one` : ''
  return `Room in your session: ${percent(held.share)} is taken${then}.`
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}
