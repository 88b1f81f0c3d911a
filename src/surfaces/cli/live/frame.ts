import type { EventLine } from '../../../core/views/line-parts.ts'
import type { LiveModel } from '../../../core/views/live/live-model.ts'
import type { Size } from '../terminal.ts'
import { headLines, SMALL_ROWS } from './head.ts'
import { atLeft, cutLine, type ScreenLine, span, type Tone } from './spans.ts'
import { taskRows } from './task-rows.ts'
import type { Page, Ui } from './ui.ts'

/** Everything that a frame is composed from. */
export interface Scene {
  readonly model: LiveModel
  readonly ui: Ui
  /** Latest events, oldest first. */
  readonly recent: readonly Recent[]
  /** Message of the view: an answer, or a stage of Ctrl-C. */
  readonly notice: { readonly text: string; readonly tone: Tone } | null
  /** Lines of the open page, when it is not the list. */
  readonly page: readonly ScreenLine[]
}

/** Recent event with its time. */
export interface Recent extends Omit<EventLine, 'shownIn'> {
  readonly time: string
}

export interface Frame {
  /** Lines, as many as the terminal has rows. */
  readonly lines: readonly ScreenLine[]
  /** First visible row of the list. */
  readonly top: number
  /** Rows between head and foot, and lines of the whole page. */
  readonly height: number
  readonly length: number
}

/** Composes one frame. */
export function composeFrame(scene: Scene, size: Size): Frame {
  const { columns, rows } = size
  const head = scene.ui.page.kind === 'tasks' ? headLines(scene.model, size) : []
  const foot = footLines(scene, size)
  const gap: readonly ScreenLine[] = head.length > 1 && rows >= SMALL_ROWS ? [[]] : []
  const height = Math.max(0, rows - head.length - gap.length - foot.length)
  const body = bodyLines(scene, columns, height)
  const filled = [...head, ...gap, ...body.lines, ...empty(height - body.lines.length), ...foot]
  return {
    lines: filled.slice(0, rows).map((line) => cutLine(line, columns)),
    top: body.top,
    height,
    length: body.length,
  }
}

interface Body {
  readonly lines: readonly ScreenLine[]
  readonly top: number
  readonly length: number
}

function bodyLines({ model, ui, page }: Scene, columns: number, height: number): Body {
  if (ui.page.kind !== 'tasks') {
    const last = Math.max(0, page.length - height)
    const top = Math.min(ui.page.top ?? last, last)
    return { lines: page.slice(top, top + height), top, length: page.length }
  }
  const rows = taskRows(model)
  const row = ui.chosen === null ? null : rows.rowOf(ui.chosen)
  const top = topFor(ui.top, row, height, rows.length)
  return { lines: rows.lay(top, height, ui.chosen, columns), top, length: rows.length }
}

/** Scrolls as little as possible to show the chosen row and the one above it. */
function topFor(top: number, row: number | null, height: number, length: number): number {
  const last = Math.max(0, length - height)
  if (row === null) return Math.min(top, last)
  return Math.min(Math.max(Math.min(top, row - 1), row - height + 1), last)
}

function footLines(scene: Scene, { columns, rows }: Size): readonly ScreenLine[] {
  const { ui, notice, recent } = scene
  const isRoomy = rows >= SMALL_ROWS && ui.page.kind === 'tasks'
  const shown = isRoomy ? recent.slice(-(rows >= ROOMY_ROWS ? RECENT_MAX : RECENT_MIN)) : []
  return [
    ...(shown.length === 0 ? [] : [[], ...shown.map(recentLine)]),
    ...(notice === null ? [] : [[span(notice.text, notice.tone)]]),
    ui.typing === null ? keyLine(scene, columns) : typingLine(ui, ui.typing, columns),
  ]
}

const ROOMY_ROWS = 24
const RECENT_MAX = 3
const RECENT_MIN = 1

const RECENT_TONES: Readonly<Record<EventLine['tone'], Tone>> = { plain: 'dim', good: 'good', warn: 'warn', bad: 'bad' }

function recentLine({ time, about, text, tone }: Recent): ScreenLine {
  return [
    span(`${time}  ${atLeft(about === '' ? 'run' : about, ABOUT_WIDTH)}  `, 'dim'),
    span(text, RECENT_TONES[tone]),
  ]
}

const ABOUT_WIDTH = 14

const PAGE_KEYS = '↑↓ scroll   t transcript   s steer   Esc back'
const KEYS: Readonly<Record<Page['kind'], string>> = {
  tasks: '',
  help: '↑↓ scroll   Esc back',
  task: PAGE_KEYS,
  transcript: PAGE_KEYS.replace('t transcript', 'End follow'),
}

function keyLine({ ui, model }: Scene, columns: number): ScreenLine {
  const { page, chosen } = ui
  if (page.kind !== 'tasks') return [span(`${chosen ?? ''}   `, 'strong'), span(KEYS[page.kind], 'dim')]
  if (columns < NARROW) return [span('? help   q leave', 'dim')]
  const pause = model.run.state === 'paused' ? 'p resume' : 'p pause'
  const task = chosen === null ? null : model.task(chosen)
  const isRetried = task?.standing === 'needs-person' || task?.standing === 'failed'
  const act = task?.asks === 'approval' ? '  a approve  x reject' : isRetried ? '  a retry' : ''
  const send = task?.asks === 'answer' ? 's answer' : 's steer'
  return [span(`↑↓ choose  Enter open  t transcript  ${send}  ${pause}${act}  ? help  q leave`, 'dim')]
}

const NARROW = 60

const TYPING_LABELS = { steer: 'Message to', answer: 'Answer', reject: 'What has to change in' } as const

function typingLine({ chosen, saying }: Ui, typing: string, columns: number): ScreenLine {
  const label = `${TYPING_LABELS[saying]} ${chosen}: `
  const room = Math.max(8, columns - label.length - 2)
  // Of a long text, the end is shown, where the cursor is.
  const shown = [...typing].slice(-Math.floor(room / 2)).join('')
  return [span(label, 'strong'), span(typing.length * 2 <= room ? typing : shown), span('▏', 'live')]
}

function empty(count: number): readonly ScreenLine[] {
  return Array.from({ length: Math.max(0, count) }, () => [])
}
