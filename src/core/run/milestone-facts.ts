import { MILESTONE_FACTS_MAX } from '../limits/limits.ts'
import type { MilestoneId } from '../model/ids.ts'
import { findingsText } from '../prompts/findings-text.ts'
import { excerpt } from '../reading/text.ts'
import { milestonesAfter, tasksIn } from '../schedule/graph-queries.ts'
import { type RunState, type TaskRecord, taskOf } from './state.ts'

const TASKS_MAX = 60
const KNOWLEDGE_MAX = 20
const TEXT_MAX = 300
const FINDINGS_MAX = 600

/** Lists the recorded facts of a finished milestone under the headings of a summary. */
export function milestoneFacts(state: RunState, milestone: MilestoneId): string {
  const records = tasksIn(state.graph, milestone).map((id) => taskOf(state, id))
  const landed = records.filter(({ standing }) => standing === 'done')
  const left = records.filter(({ standing }) => standing !== 'done')
  const sections = [
    section('Accomplished', landed.map(landedText)),
    section('Decisions', decisions(state, records)),
    section('State', [stateText(state, landed.length, records.length)]),
    section('Issues', left.map(leftText)),
    section(
      'Next',
      milestonesAfter(state.graph, milestone).map((next) => nextText(state, next)),
    ),
  ]
  return excerpt(sections.join('\n\n'), MILESTONE_FACTS_MAX)
}

function section(title: string, lines: readonly string[]): string {
  const more = lines.length - TASKS_MAX
  const shown = [...lines.slice(0, TASKS_MAX), ...(more > 0 ? [`and ${more} more`] : [])]
  return `## ${title}\n${shown.length === 0 ? 'Nothing recorded.' : shown.map((line) => `- ${line}`).join('\n')}`
}

function landedText({ task, landed }: TaskRecord): string {
  return `${task.id}: ${task.title} (${landed?.commit.slice(0, 10)})`
}

/** Lists the knowledge that agents recorded and the messages of the user. */
function decisions({ knowledge }: RunState, records: readonly TaskRecord[]): readonly string[] {
  const own = new Set(records.map(({ task }) => task.id))
  const learned = knowledge.filter(({ task }) => own.has(task)).slice(-KNOWLEDGE_MAX)
  return [
    ...learned.map(({ task, text }) => `${task}: ${short(text)}`),
    ...records.flatMap(({ task, steering }) => steering.map((text) => `${task.id}, the user: ${short(text)}`)),
  ]
}

function stateText({ line, baseline }: RunState, landed: number, all: number): string {
  const at = line === null ? '' : `; the landed work is at ${line.line.slice(0, 10)}`
  const red = baseline !== null && !baseline.passed ? '; the baseline checks failed' : ''
  return `${landed} of ${all} tasks landed${at}${red}`
}

function leftText({ task, standing, verdict, last }: TaskRecord): string {
  const why = verdict?.reason ?? last?.reason
  const findings = standing === 'failed' && last !== null ? findingsText(last.findings) : ''
  const more = findings === '' ? '' : `\n${excerpt(findings, FINDINGS_MAX).replaceAll(/^/gm, '  ')}`
  return `${task.id}: ${task.title} (${standing}${why === undefined ? '' : `: ${short(why)}`})${more}`
}

function nextText({ milestones }: RunState, id: MilestoneId): string {
  const next = milestones.get(id)
  return next === undefined ? id : short(`${next.title}. ${next.brief}`.trim())
}

function short(text: string): string {
  return excerpt(text.replaceAll(/\s+/g, ' ').trim(), TEXT_MAX).replaceAll('\n', ' ')
}
