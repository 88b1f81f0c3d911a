import { durationText } from '../../../core/limits/duration-text.ts'
import type { RunState } from '../../../core/run/state.ts'
import type { Status, TaskStatus } from '../../../core/views/status.ts'
import type { EngineEnd } from '../../../engine/run-engine.ts'
import type { Output } from '../output.ts'
import { hanging, left } from './columns.ts'
import { countsText, proposalsText, targetText, totalsText } from './render-status.ts'
import { dateAndTime } from './times.ts'

/** Renders the report that an engine prints when it ends. */
export function renderReport(
  status: Status,
  state: RunState,
  end: Exclude<EngineEnd, { kind: 'halted' }>,
  at: number,
  { colors, width }: Pick<Output, 'colors' | 'width'>,
): readonly string[] {
  if (status.run === null) return []
  const section = (title: string, tasks: readonly TaskStatus[], textOf: (task: TaskStatus) => string) =>
    sectionLines(title, tasks, textOf, width)
  const took =
    state.startedAt === null ? '' : `, ${durationText((state.endedAt ?? at) - state.startedAt)} since it started`
  return [
    '',
    colors.bold(`Run ${status.run.id}: ${countsText(status)}${took}`),
    ...section(colors.green('landed'), ofState(status, 'done'), landedText),
    ...section('reverted', ofState(status, 'reverted'), revertedText),
    ...section(colors.yellow('not reverted'), refusedReverts(status), reasonText),
    ...section(colors.red('failed'), ofState(status, 'failed'), reasonText),
    ...section(colors.red('blocked'), ofState(status, 'blocked'), reasonText),
    // The reasons that the whole run waits for are listed at the end, with what helps.
    ...(isWaiting(end) ? [] : section(colors.yellow('needs a person'), ofState(status, 'needs-person'), reasonText)),
    ...milestoneLines(state),
    `  ${totalsText(status)}`,
    ...targetText(status, state).map((line) => `  ${status.run?.targetBehind ? colors.yellow(line) : line}`),
    ...failedText(status, state),
    ...proposalsText(status).map((line) => `  ${colors.yellow(line)}`),
    ...nextText(end).flatMap((line) => hanging('  ', line, width).map(colors.bold)),
  ]
}

const SHOWN_MAX = 50

function sectionLines(
  title: string,
  tasks: readonly TaskStatus[],
  textOf: (task: TaskStatus) => string,
  width: number | null,
): readonly string[] {
  if (tasks.length === 0) return []
  const more = tasks.length - SHOWN_MAX
  return [
    `  ${title}`,
    ...tasks.slice(0, SHOWN_MAX).flatMap((task) => hanging(`    ${left(task.id, 14)}  `, textOf(task), width)),
    ...(more > 0 ? [`    … and ${more} more: longhaul status`] : []),
  ]
}

/** Lists summarised milestones, and how to read each summary. */
function milestoneLines({ milestones, progress }: RunState): readonly string[] {
  const summarised = [...progress].flatMap(([id, { summary }]) => (summary === null ? [] : [{ id, by: summary.by }]))
  return summarised.slice(0, SHOWN_MAX).map(({ id, by }) => {
    const how = by === 'judge' ? 'by the judge' : 'without the judge'
    return `  milestone ${id} (${milestones.get(id)?.title}) was summarised ${how}: longhaul show ${id}`
  })
}

function ofState({ tasks }: Status, state: TaskStatus['state']): readonly TaskStatus[] {
  return tasks.filter((task) => task.state === state)
}

function refusedReverts({ tasks }: Status): readonly TaskStatus[] {
  return tasks.filter(({ revert }) => revert === 'refused')
}

function revertedText({ reason, title }: TaskStatus): string {
  return `${reason}  ${title}`
}

function landedText({ commit, proof, title }: TaskStatus): string {
  return `${commit?.slice(0, 10)}  proof: ${proof}  ${title}`
}

function reasonText({ reason, branch }: TaskStatus): string {
  return branch === null ? `${reason}` : `${reason} (work: ${branch})`
}

/** Suggests what to do about failed tasks. */
function failedText(status: Status, { baseline }: RunState): readonly string[] {
  const [first] = ofState(status, 'failed')
  if (first === undefined) return []
  const isRed = baseline !== null && !baseline.passed
  return [
    `  To see why: longhaul show ${first.id} --dossier. To retry it: longhaul retry ${first.id}, then longhaul run.`,
    ...(isRed
      ? ['  The checks already failed before any work. To run them and see why: longhaul doctor --baseline']
      : []),
  ]
}

function isWaiting(end: Exclude<EngineEnd, { kind: 'halted' }>): boolean {
  return end.kind !== 'stopped' && end.condition.kind === 'waiting'
}

function nextText(end: Exclude<EngineEnd, { kind: 'halted' }>): readonly string[] {
  if (end.kind === 'stopped') return ['Stopped; the work is saved. To continue: longhaul run']
  switch (end.condition.kind) {
    case 'parked':
      return [`Parked until ${dateAndTime(end.condition.until)}. To continue then: longhaul run`]
    case 'paused':
      return [
        `Paused since ${dateAndTime(end.condition.since)}: nothing new starts. To continue: longhaul resume, then longhaul run`,
      ]
    case 'waiting':
      return ['Waiting for you:', ...end.condition.for.map((line) => `  ${line}`)]
    default:
      return []
  }
}
