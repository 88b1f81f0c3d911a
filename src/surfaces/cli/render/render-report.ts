import type { RunState } from '../../../core/run/state.ts'
import type { Status, TaskStatus } from '../../../core/views/status.ts'
import type { EngineEnd } from '../../../engine/run-engine.ts'
import type { Output } from '../output.ts'
import { hanging, left } from './columns.ts'
import { countsText, proposalsText, targetText, totalsText } from './render-status.ts'
import { dateAndTime, duration } from './times.ts'

/** What a person wants to know when an engine's work is over. */
export function renderReport(
  status: Status,
  state: RunState,
  end: Exclude<EngineEnd, { kind: 'halted' }>,
  at: number,
  { colors, width }: Pick<Output, 'colors' | 'width'>,
): readonly string[] {
  if (status.run === null) return []
  const section = (title: string, tasks: readonly TaskStatus[], tell: (task: TaskStatus) => string) =>
    sectionLines(title, tasks, tell, width)
  const took = state.startedAt === null ? '' : `, ${duration((state.endedAt ?? at) - state.startedAt)} since it started`
  return [
    '',
    colors.bold(`Run ${status.run.id}: ${countsText(status)}${took}`),
    ...section(colors.green('landed'), ofState(status, 'done'), landedText),
    ...section(colors.red('failed'), ofState(status, 'failed'), reasonText),
    ...section(colors.red('blocked'), ofState(status, 'blocked'), reasonText),
    // What a run as a whole waits for is told at the end, with what helps.
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
  tell: (task: TaskStatus) => string,
  width: number | null,
): readonly string[] {
  if (tasks.length === 0) return []
  const more = tasks.length - SHOWN_MAX
  return [
    `  ${title}`,
    ...tasks.slice(0, SHOWN_MAX).flatMap((task) => hanging(`    ${left(task.id, 14)}  `, tell(task), width)),
    ...(more > 0 ? [`    … and ${more} more: longhaul status`] : []),
  ]
}

/** What was summed up, and where it can be read. */
function milestoneLines({ milestones, progress }: RunState): readonly string[] {
  const summed = [...progress].flatMap(([id, { summary }]) => (summary === null ? [] : [{ id, by: summary.by }]))
  return summed.slice(0, SHOWN_MAX).map(({ id, by }) => {
    const how = by === 'judge' ? 'by the judge' : 'from facts alone'
    return `  milestone ${id} (${milestones.get(id)?.title}) was summed up ${how}: longhaul show ${id}`
  })
}

function ofState({ tasks }: Status, state: TaskStatus['state']): readonly TaskStatus[] {
  return tasks.filter((task) => task.state === state)
}

function landedText({ commit, proof, title }: TaskStatus): string {
  return `${commit?.slice(0, 10)}  proof: ${proof}  ${title}`
}

function reasonText({ reason, branch }: TaskStatus): string {
  return branch === null ? `${reason}` : `${reason} (its work: ${branch})`
}

/** What to do about what failed. */
function failedText(status: Status, { baseline }: RunState): readonly string[] {
  const [first] = ofState(status, 'failed')
  if (first === undefined) return []
  const isRed = baseline !== null && !baseline.passed
  return [
    `  "longhaul show ${first.id} --dossier" tells why, "longhaul retry ${first.id}" tries it again with the next run.`,
    ...(isRed
      ? ['  The checks were red before any work: "longhaul doctor --baseline" runs them and shows what they say.']
      : []),
  ]
}

function isWaiting(end: Exclude<EngineEnd, { kind: 'halted' }>): boolean {
  return end.kind !== 'stopped' && end.condition.kind === 'waiting'
}

function nextText(end: Exclude<EngineEnd, { kind: 'halted' }>): readonly string[] {
  if (end.kind === 'stopped') return ['Stopped; the work is saved. "longhaul run" goes on from here.']
  switch (end.condition.kind) {
    case 'parked':
      return [`Parked until ${dateAndTime(end.condition.until)}: "longhaul run" goes on then.`]
    case 'paused':
      return [
        `Paused since ${dateAndTime(end.condition.since)}: nothing new starts. "longhaul resume" ends that, then "longhaul run" goes on.`,
      ]
    case 'waiting':
      return ['Waiting for a person:', ...end.condition.for.map((line) => `  ${line}`)]
    default:
      return []
  }
}
