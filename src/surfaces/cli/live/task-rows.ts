import { durationText } from '../../../core/limits/duration-text.ts'
import type { TaskId } from '../../../core/model/ids.ts'
import type { Standing } from '../../../core/run/state.ts'
import type { LiveAttempt } from '../../../core/views/live/live-attempt.ts'
import type { LiveModel, LiveTask } from '../../../core/views/live/live-model.ts'
import { widthOf } from '../render/columns.ts'
import { contextText } from './figures.ts'
import { atLeft, atRight, type ScreenLine, span, spread, type TextSpan, type Tone } from './spans.ts'

/** Rows of the task list; only visible ones are laid out. */
export interface TaskRows {
  readonly length: number
  /** Returns the row of a task, or null when it is not in the list. */
  rowOf(task: TaskId): number | null
  lay(from: number, count: number, chosen: TaskId | null, width: number): readonly ScreenLine[]
}

/** Groups tasks under the names of their states. */
export function taskRows(model: LiveModel): TaskRows {
  let length = 0
  const blocks = model.groups.map((group) => {
    const block = { ...group, from: length }
    length += group.tasks.length + 1
    return block
  })
  const blockAt = (row: number) => blocks.findLast(({ from }) => from <= row)
  return {
    length,
    rowOf(task) {
      for (const { from, tasks } of blocks) {
        const index = tasks.indexOf(task)
        if (index >= 0) return from + 1 + index
      }
      return null
    },
    lay(from, count, chosen, width) {
      const rows = Array.from({ length: Math.max(0, Math.min(count, length - from)) }, (_, index) => from + index)
      return rows.map((row) => {
        const block = blockAt(row)
        if (block === undefined) return []
        const task = block.tasks[row - block.from - 1]
        if (task === undefined) return headRow(block.standing, block.tasks.length, width)
        return taskRow(model.task(task), task === chosen, width)
      })
    },
  }
}

interface Look {
  readonly mark: string
  readonly name: string
  readonly tone: Tone
}

/** Mark, name and tone of each state. */
export const LOOKS: Readonly<Record<Standing, Look>> = {
  'needs-person': { mark: '!', name: 'needs a person', tone: 'warn' },
  running: { mark: '●', name: 'running', tone: 'live' },
  landing: { mark: '◆', name: 'landing', tone: 'live' },
  parked: { mark: '◐', name: 'parked', tone: 'warn' },
  failed: { mark: '✗', name: 'failed', tone: 'bad' },
  ready: { mark: '○', name: 'next', tone: 'plain' },
  waiting: { mark: '·', name: 'waiting', tone: 'dim' },
  blocked: { mark: '⊘', name: 'blocked', tone: 'bad' },
  done: { mark: '✓', name: 'done', tone: 'good' },
  skipped: { mark: '-', name: 'skipped', tone: 'dim' },
  reverted: { mark: '↺', name: 'reverted', tone: 'dim' },
}

interface Columns {
  readonly id: number
  readonly title: number
  readonly time: number
  readonly context: number
  readonly turns: number
  readonly usd: number
  readonly handOffs: number
}

const NARROW = 72
const WIDE = 120

function columnsFor(width: number): Columns {
  const isNarrow = width < NARROW
  const isWide = width >= WIDE
  return {
    id: Math.min(28, Math.max(10, Math.floor(width / 6))),
    title: isNarrow ? 0 : Math.min(50, Math.floor(width / 3.6)),
    time: 9,
    context: isNarrow ? 0 : isWide ? 13 : 8,
    turns: isNarrow ? 0 : 9,
    usd: isNarrow ? 0 : 8,
    handOffs: isWide ? 11 : 0,
  }
}

function headRow(standing: Standing, count: number, width: number): ScreenLine {
  const { name } = LOOKS[standing]
  const start = [span(`${name} ${count}`, 'strong')]
  if (standing !== 'running') return start
  const { time, context, turns, usd, handOffs } = columnsFor(width)
  const ends = [
    atRight('for', time),
    atRight('context', context),
    atRight('turns', turns),
    atRight('USD', usd),
    atRight('hand-offs', handOffs),
  ]
  return spread(start, [span(ends.join(''), 'dim')], width)
}

function taskRow(task: LiveTask, isChosen: boolean, width: number): ScreenLine {
  const { mark, tone } = LOOKS[task.standing]
  const columns = columnsFor(width)
  const start = [
    span(isChosen ? '❯' : ' ', 'strong'),
    span(`${mark} `, tone),
    span(`${atLeft(task.id, columns.id)} `, task.standing === 'running' ? 'strong' : 'plain'),
  ]
  const room = width - columns.id - 4
  const rest =
    task.standing === 'running' && task.attempt !== null
      ? liveRest(task, task.attempt, columns, room, width)
      : quietRest(task, columns, room)
  const line = [...start, ...rest]
  return isChosen ? line.map(({ text }) => span(text, 'chosen')) : line
}

function quietRest({ title, reason, standing }: LiveTask, columns: Columns, room: number): ScreenLine {
  if (columns.title === 0) return [span(atLeft(reason === '' ? title : reason, room), reasonTone(standing))]
  // A long title may use the room that a short reason leaves.
  const wide = Math.max(columns.title, Math.min(widthOf(title), room - widthOf(reason) - 2))
  const reasonWidth = Math.max(0, room - wide - 2)
  return [span(`${atLeft(title, wide)}  `), span(atLeft(reason, reasonWidth), reasonTone(standing))]
}

function reasonTone(standing: Standing): Tone {
  return standing === 'failed' || standing === 'needs-person' || standing === 'parked' ? LOOKS[standing].tone : 'dim'
}

function liveRest(task: LiveTask, attempt: LiveAttempt, columns: Columns, room: number, width: number): ScreenLine {
  const figures = figuresOf(attempt, columns)
  const free = Math.max(0, room - figures.reduce((sum, { text }) => sum + text.length, 0))
  const title = width >= WIDE ? Math.min(columns.title + 2, Math.floor(free / 2)) : 0
  const shown = title === 0 ? [] : [span(`${atLeft(task.title, title - 2)}  `)]
  return [...shown, span(atLeft(attempt.doing, free - title), 'live'), ...figures]
}

function figuresOf(attempt: LiveAttempt, columns: Columns): readonly TextSpan[] {
  const { forMs, context, isTight, turns, turnsMax, usd, handOffs } = attempt
  // Without a column for them, hand-offs are shown beside the context that they emptied.
  const handed = handOffs === 0 || columns.handOffs > 0 || columns.context === 0 ? '' : `↻${handOffs} `
  return [
    span(atRight(forMs === null ? '' : durationText(forMs), columns.time)),
    span(atRight(`${handed}${contextText(context, columns.context)}`, columns.context), isTight ? 'warn' : 'plain'),
    span(atRight(turnsMax === null ? `${turns}` : `${turns}/${turnsMax}`, columns.turns)),
    span(atRight(usd === null ? '?' : usd.toFixed(2), columns.usd)),
    span(atRight(handOffs === 0 ? '' : `${handOffs}`, columns.handOffs)),
  ]
}
