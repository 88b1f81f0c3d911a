import type { Answer } from '../../../core/model/attempt-event.ts'
import type { TaskId } from '../../../core/model/ids.ts'
import { standingText } from '../../../core/run/standing-text.ts'
import type { LiveModel } from '../../../core/views/live/live-model.ts'
import type { Key } from './keys.ts'

/** State of the view: open page, chosen task, text being typed. */
export interface Ui {
  readonly page: Page
  readonly chosen: TaskId | null
  /** First visible row of the list. */
  readonly top: number
  /** Text being typed, or null, and what it is for. */
  readonly typing: string | null
  readonly saying: 'steer' | 'answer' | 'reject'
}

export type Page =
  | { readonly kind: 'tasks' }
  | { readonly kind: 'help'; readonly top: number }
  | { readonly kind: 'task'; readonly top: number }
  /** A null `top` follows the end. */
  | { readonly kind: 'transcript'; readonly top: number | null }

/** Action of a key beyond the view itself. */
export type UserAction =
  | { readonly kind: 'leave' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'retry'; readonly task: TaskId }
  | { readonly kind: 'steer'; readonly task: TaskId; readonly text: string }
  | { readonly kind: 'answer'; readonly task: TaskId; readonly answer: Answer }
  | { readonly kind: 'remark'; readonly text: string }

export interface Pressed {
  readonly ui: Ui
  readonly action: UserAction | null
}

/** Parts of the current frame that keys depend on. */
export interface Shown {
  readonly model: LiveModel
  /** Rows between head and foot. */
  readonly height: number
  /** Lines of the whole open page. */
  readonly length: number
}

export const FRESH_UI: Ui = { page: { kind: 'tasks' }, chosen: null, top: 0, typing: null, saying: 'steer' }

/** Key for the view; Ctrl-C and Ctrl-Z are for the program. */
export type PlainKey = Exclude<Key, { kind: 'interrupt' | 'stop' }>

/** Applies a key to the view. */
export function press(ui: Ui, key: PlainKey, shown: Shown): Pressed {
  if (ui.typing !== null) return type(ui, ui.typing, key)
  if (key.kind !== 'text') return move(ui, key.kind, shown)
  const [letter, ...rest] = key.text
  const pressed = letter === undefined ? { ui, action: null } : command(ui, letter, shown)
  if (pressed.action !== null || rest.length === 0) return pressed
  // Letters that arrive together are several commands, or one and the text that it asks for.
  return press(pressed.ui, { kind: 'text', text: rest.join('') }, shown)
}

function type(ui: Ui, typed: string, key: PlainKey): Pressed {
  const go = (typing: string | null, action: UserAction | null = null): Pressed => ({ ui: { ...ui, typing }, action })
  switch (key.kind) {
    case 'text':
      return go(typed + key.text)
    case 'backspace':
      return go([...typed].slice(0, -1).join(''))
    case 'clear':
      return go('')
    case 'escape':
      return go(null)
    case 'enter': {
      const text = typed.trim()
      return text === '' || ui.chosen === null ? go(null) : go(null, actionFor(ui.saying, ui.chosen, text))
    }
    default:
      return { ui, action: null }
  }
}

function command(ui: Ui, letter: string, shown: Shown): Pressed {
  const stay = (action: UserAction | null): Pressed => ({ ui, action })
  switch (letter) {
    case 'q':
      return ui.page.kind === 'tasks' ? stay({ kind: 'leave' }) : turnTo(ui, { kind: 'tasks' })
    case '?':
    case 'h':
      return turnTo(ui, { kind: 'help', top: 0 })
    case 'k':
      return move(ui, 'up', shown)
    case 'j':
      return move(ui, 'down', shown)
    case 'p':
      return stay({ kind: shown.model.run.state === 'paused' ? 'resume' : 'pause' })
    case 't':
    case 's':
    case 'a':
    case 'x':
      return ofTask(ui, letter, shown)
    default:
      return stay(null)
  }
}

/** Applies a key for a task: the chosen one, or the first. */
function ofTask(ui: Ui, letter: 't' | 's' | 'a' | 'x', { model }: Shown): Pressed {
  const task = ui.chosen ?? model.groups[0]?.tasks[0]
  if (task === undefined) return { ui, action: null }
  const chosen: Ui = { ...ui, chosen: task }
  if (letter === 't') return turnTo(chosen, { kind: 'transcript', top: null })
  const { asks } = model.task(task)
  if (letter === 's') {
    return { ui: { ...chosen, typing: '', saying: asks === 'answer' ? 'answer' : 'steer' }, action: null }
  }
  if (letter === 'a') return { ui: chosen, action: approve(model, task) }
  if (asks === 'approval') return { ui: { ...chosen, typing: '', saying: 'reject' }, action: null }
  return { ui: chosen, action: { kind: 'remark', text: `${task} is not waiting for approval.` } }
}

function actionFor(saying: Ui['saying'], task: TaskId, text: string): UserAction {
  if (saying === 'steer') return { kind: 'steer', task, text }
  return { kind: 'answer', task, answer: { kind: saying === 'answer' ? 'answered' : 'rejected', text } }
}

const RETRIED: ReadonlySet<string> = new Set(['needs-person', 'failed'])

function approve(model: LiveModel, task: TaskId): UserAction {
  const { standing, asks } = model.task(task)
  if (asks === 'approval') return { kind: 'answer', task, answer: { kind: 'approved', text: '' } }
  if (RETRIED.has(standing)) return { kind: 'retry', task }
  return { kind: 'remark', text: `${task} is not waiting for you: it ${standingText(standing)}.` }
}

function turnTo(ui: Ui, page: Page): Pressed {
  return { ui: { ...ui, page }, action: null }
}

function move(ui: Ui, key: PlainKey['kind'], shown: Shown): Pressed {
  const { page } = ui
  if (key === 'escape' || key === 'backspace') {
    return page.kind === 'tasks' ? { ui: { ...ui, chosen: null, top: 0 }, action: null } : turnTo(ui, { kind: 'tasks' })
  }
  if (page.kind !== 'tasks') return turnTo(ui, scrolled(page, key, shown))
  if (key === 'enter') return open(ui, shown)
  return { ui: { ...ui, chosen: chosenBy(ui.chosen, key, shown) }, action: null }
}

function open(ui: Ui, { model }: Shown): Pressed {
  const chosen = ui.chosen ?? model.groups[0]?.tasks[0] ?? null
  return chosen === null ? { ui, action: null } : turnTo({ ...ui, chosen }, { kind: 'task', top: 0 })
}

function chosenBy(chosen: TaskId | null, key: Key['kind'], { model, height }: Shown): TaskId | null {
  const tasks = model.groups.flatMap((group) => group.tasks)
  const at = chosen === null ? -1 : tasks.indexOf(chosen)
  const wanted = at + stepOf(key, Math.max(1, height - 1), tasks.length)
  return tasks[Math.min(Math.max(wanted, 0), tasks.length - 1)] ?? null
}

function scrolled(page: Exclude<Page, { kind: 'tasks' }>, key: Key['kind'], { height, length }: Shown): Page {
  const last = Math.max(0, length - height)
  const from = Math.min(page.top ?? last, last)
  const top = Math.min(Math.max(from + stepOf(key, Math.max(1, height - 1), length), 0), last)
  if (page.kind === 'transcript') return { kind: 'transcript', top: top === last ? null : top }
  return { kind: page.kind, top }
}

function stepOf(key: Key['kind'], page: number, all: number): number {
  switch (key) {
    case 'up':
      return -1
    case 'down':
      return 1
    case 'page-up':
      return -page
    case 'page-down':
      return page
    case 'home':
      return -all
    case 'end':
      return all
    default:
      return 0
  }
}
