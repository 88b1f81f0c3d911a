import { join } from 'node:path'
import { KNOWLEDGE_FILE } from '../../../core/knowledge/keep-knowledge.ts'
import { isShutIn } from '../../../core/model/protection.ts'
import type { RunState } from '../../../core/run/state.ts'
import { sentence } from '../../../core/views/line-parts.ts'
import { protectionText } from '../../../core/views/protection-text.ts'
import type { RunStanding, Status, TaskStatus } from '../../../core/views/status.ts'
import type { Output } from '../output.ts'
import { cut, indented, left, printable, widthOf, wrap } from './columns.ts'
import { spentText } from './spending.ts'
import { timeFormatter } from './times.ts'

export interface Places {
  readonly stateFolder: string
  readonly workspacesHome: string
}

/** Renders a run's status for people: the run, its tasks, limits, totals, and where things are. */
export function renderStatus(
  status: Status,
  state: RunState,
  places: Places,
  at: number,
  { colors, width }: Pick<Output, 'colors' | 'width'>,
): readonly string[] {
  if (status.run === null) return []
  const formatTime = timeFormatter(at)
  return [
    ...renderHead(status, state, { colors, width }),
    ...tasksShown(status).flatMap((task) => [
      ...taskLines(task, width).map((line) => colored(line, task, colors)),
      ...alreadyGreenLines(task, width).map(colors.yellow),
    ]),
    ...leftOutText(status),
    ...proposalsText(status).flatMap((line) => wrap(line, width).map(colors.yellow)),
    ...status.limits.map(({ what, until }) => `Usage limit of ${what} until ${formatTime(Date.parse(until))}.`),
    ...wrap(totalsText(status), width),
    // Not wrapped: commands and paths are there to be copied.
    ...targetText(status, state),
    ...lineText(state),
    ...nextText(status),
    ...(status.knowledge === 0 ? [] : [colors.dim(`Knowledge: ${join(places.stateFolder, KNOWLEDGE_FILE)}`)]),
    colors.dim(`State: ${places.stateFolder}`),
    colors.dim(`Workspaces: ${places.workspacesHome}`),
  ]
}

/** Renders the first lines of a status: what protects the machine, if nothing does, and the state of the run. */
export function renderHead(
  status: Status,
  state: RunState,
  { colors, width }: Pick<Output, 'colors' | 'width'>,
): readonly string[] {
  const { run } = status
  if (run === null) return []
  return [
    ...unprotectedText(state).flatMap((line) => wrap(line, width).map(colors.yellow)),
    ...wrap(`Run ${run.id} ${STANDING_TEXT[run.state]}; work lands on ${run.target}. ${countsText(status)}.`, width),
  ]
}

function unprotectedText({ protection, endedAt }: RunState): readonly string[] {
  return protection === null || isShutIn(protection) || endedAt !== null ? [] : [protectionText(protection)]
}

/** Counts the tasks in each state, in words. */
export function countsText({ tasks }: Status): string {
  const counts = new Map<string, number>()
  for (const { state } of tasks) counts.set(state, (counts.get(state) ?? 0) + 1)
  const texts = COUNTED.flatMap((state) => (counts.has(state) ? [`${counts.get(state)} ${stateName(state)}`] : []))
  return texts.length === 0 ? 'No tasks' : texts.join(', ')
}

/** Names a task's state for people. */
export function stateName(state: TaskStatus['state']): string {
  return state === 'needs-person' ? 'needs you' : state
}

/** States in the order of their counts: ended, in need of a person, active, still to come. */
const COUNTED: readonly TaskStatus['state'][] = [
  'done',
  'failed',
  'blocked',
  'needs-person',
  'landing',
  'running',
  'parked',
  'ready',
  'waiting',
  'skipped',
  'reverted',
]

/** Renders the cost of a run. */
export function totalsText({ totals }: Status): string {
  return spentText(totals)
}

/** Renders what agents proposed, and how to see it. */
export function proposalsText({ proposals }: Status): readonly string[] {
  const [first] = proposals
  if (first === undefined) return []
  if (proposals.length === 1) return [`1 proposed task is waiting for you: longhaul show ${first.id}`]
  const ids = proposals.slice(0, PROPOSALS_NAMED_MAX).map(({ id }) => id)
  const more = proposals.length > ids.length ? ', …' : ''
  return [
    `${proposals.length} proposed tasks are waiting for you: ${ids.join(', ')}${more} ("longhaul show ID" shows one)`,
  ]
}

const PROPOSALS_NAMED_MAX = 5

/** Names the next commands for an ended run in which a task failed. */
function nextText({ run, tasks }: Status): readonly string[] {
  const failed = run?.state === 'ended' ? tasks.find(({ state }) => state === 'failed') : undefined
  return failed === undefined ? [] : [`Next: longhaul show ${failed.id} --dossier, or longhaul retry ${failed.id}`]
}

/** Renders whether the target branch has everything that landed, and what to do if not. */
export function targetText({ run }: Status, state: RunState): readonly string[] {
  if (run === null || state.line === null) return []
  if (!run.targetBehind)
    return state.counts.done + state.counts.reverted > 0 ? [`${run.target} has everything that landed.`] : []
  const held = state.targetHeld
  if (held === null) return [`${run.target} is behind what landed. To update it: longhaul run`]
  const command = held.command === null ? 'To try again: longhaul run' : `To update it: ${held.command}`
  return [`${run.target} is behind what landed: ${held.reason}`, command]
}

const STANDING_TEXT: Readonly<Record<RunStanding, string>> = {
  open: 'is open, but no engine is running',
  running: 'is running',
  paused: 'is paused',
  parked: 'is parked',
  waiting: 'is waiting for you',
  ended: 'has ended',
}

const ALL_SHOWN_MAX = 50
const OF_INTEREST: ReadonlySet<TaskStatus['state']> = new Set([
  'running',
  'landing',
  'parked',
  'needs-person',
  'failed',
  'blocked',
])

/** Selects the active tasks of a long list. */
function tasksShown({ tasks }: Status): readonly TaskStatus[] {
  if (tasks.length <= ALL_SHOWN_MAX) return tasks
  return tasks.filter(({ state, revert }) => OF_INTEREST.has(state) || revert !== null).slice(0, ALL_SHOWN_MAX)
}

function leftOutText(status: Status): readonly string[] {
  const leftOut = status.tasks.length - tasksShown(status).length
  return leftOut === 0 ? [] : [`… and ${leftOut} more: longhaul status --json shows all.`]
}

/** States that a person has to act on. */
const SHOWN_WHOLE: ReadonlySet<TaskStatus['state']> = new Set(['needs-person', 'failed'])

/** Renders a task on one line, with the whole reason below it when a person has to act. */
function taskLines(task: TaskStatus, width: number | null): readonly string[] {
  const { state, reason, revert } = task
  const line = taskLine(task, width)
  if (width === null || reason === null || !(SHOWN_WHOLE.has(state) || revert !== null)) return [line]
  const below = [...(line.endsWith(`: ${reason}`) ? [] : [reason]), ...dossierText(task)]
  const head = below.includes(reason) ? taskLine({ ...task, reason: null }, width) : line
  return [head, ...below.flatMap((text) => indented(text, STATE_WIDTH + 4, width))]
}

/** Names commands that cannot prove the work, because they passed before it. */
function alreadyGreenLines({ alreadyGreen }: TaskStatus, width: number | null): readonly string[] {
  if (alreadyGreen.length === 0) return []
  return indented(`verify passed before any work: ${alreadyGreen.join(', ')}`, STATE_WIDTH + 4, width)
}

/** Points to the dossier of a failed task; the reason of a task that waits for a person already does. */
function dossierText({ id, state, attempts }: TaskStatus): readonly string[] {
  return state === 'failed' && attempts > 0 ? [`To see what was tried: longhaul show ${id} --dossier`] : []
}

const STATE_WIDTH = 12

/** Renders a task on one line; a long title is cut before the rest. */
function taskLine(task: TaskStatus, width: number | null): string {
  const { id, state, attempts, title, commit, proof, reason, revert, session, phase } = task
  const tried = attempts > 1 ? `, attempt ${attempts}` : ''
  const where = phase === null ? '' : ` (${phase}${tried}${turnsText(session)}${contextText(session)})`
  const why = width === null && revert !== null ? `; ${reason}` : ''
  const text = commit === null ? (reason ?? '') : `${commit.slice(0, 10)}, proof: ${proof}${why}`
  const head = `  ${stateName(state).padEnd(STATE_WIDTH)}  ${left(id, 14)}  `
  const tail = `${where}${text === '' ? '' : `: ${text}`}`
  if (width === null) return printable(`${head}${title}${tail}`)
  const room = width - widthOf(head)
  const titleRoom = Math.max(room - widthOf(tail), Math.floor(room / 3))
  return cut(`${head}${cut(title, titleRoom)}${tail}`, width)
}

function turnsText(session: TaskStatus['session']): string {
  return session === null || session.turnsMax === null ? '' : `, turn ${session.turns} of ${session.turnsMax}`
}

function contextText(session: TaskStatus['session']): string {
  if (session === null || session.contextUsed === null || session.contextSize === null) return ''
  return `, context ${Math.round((session.contextUsed / session.contextSize) * 100)}%`
}

function lineText({ lineHeld, baseline }: RunState): readonly string[] {
  const held = lineHeld === null ? [] : [`Landing is held: ${sentence(lineHeld.reason)} ${lineHeld.hint}`]
  const red = baseline !== null && !baseline.passed ? [RED_BASELINE] : []
  return [...held, ...red]
}

const RED_BASELINE =
  'The checks failed before any work. To run them on the target as it is now: longhaul doctor --baseline'

function colored(line: string, { state, revert }: TaskStatus, colors: Output['colors']): string {
  if (revert !== null) return colors.yellow(line)
  if (state === 'done') return colors.green(line)
  if (state === 'failed' || state === 'blocked') return colors.red(line)
  return state === 'needs-person' || state === 'parked' ? colors.yellow(line) : line
}
