import { expect, test } from 'vitest'
import { givenModel } from '../../../../test/given/given-live.ts'
import { givenTask, landed, openedRun, started } from '../../../../test/given/given-run.ts'
import type { TaskId } from '../../../core/model/ids.ts'
import { decodeKeys } from './keys.ts'
import { FRESH_UI, type PlainKey, type Pressed, press, type Ui } from './ui.ts'

const tasks = ['a', 'b', 'c', 'd', 'e'].map((id) => givenTask(id))
const model = givenModel([
  [0, ...openedRun(tasks), ...landed('e'), started('b')],
  [0, { kind: 'task-held', task: 'd' as TaskId, reason: 'why', hint: 'hint' }],
])
// As shown: d needs a person, b is running, a and c are next, e is done.

test.each([
  ['down', ['down'], 'd'],
  ['down, down', ['down', 'down'], 'b'],
  ['up from the first stays', ['down', 'up', 'up'], 'd'],
  ['end', ['end'], 'e'],
  ['home', ['end', 'home'], 'd'],
  ['a page down stops at the last', ['down', 'page-down'], 'e'],
  ['escape chooses nothing', ['down', 'escape'], null],
] as const)('in the list: %s', (_what, keys, chosen) => {
  expect(typed(keys.map((kind) => ({ kind }))).ui.chosen).toBe(chosen)
})

test('letters are keys: j and k move, Enter opens, q goes back and then leaves', () => {
  const opened = typed([text('jj'), { kind: 'enter' }])
  expect(opened.ui).toMatchObject({ chosen: 'b', page: { kind: 'task', top: 0 } })
  const back = press(opened.ui, text('q'), shown)
  expect(back).toMatchObject({ ui: { page: { kind: 'tasks' } }, action: null })
  expect(press(back.ui, text('q'), shown).action).toEqual({ kind: 'leave' })
})

test('a text is typed, corrected and sent to the chosen task', () => {
  const { action, ui } = typed([text('jjs'), text('leave q alonex'), { kind: 'backspace' }, { kind: 'enter' }])
  expect(action).toEqual({ kind: 'steer', task: 'b', text: 'leave q alone' })
  expect(ui.typing).toBeNull()
})

test('text that arrives together with the key that asks for it is text, not commands', () => {
  const { action, ui } = typed([text('jjsleave q alone'), { kind: 'enter' }])
  expect(action).toEqual({ kind: 'steer', task: 'b', text: 'leave q alone' })
  expect(ui.typing).toBeNull()
})

test('a text can be discarded, and an empty one sends nothing', () => {
  expect(typed([text('s'), text('no'), { kind: 'escape' }])).toMatchObject({ ui: { typing: null }, action: null })
  expect(typed([text('s'), text('  '), { kind: 'enter' }]).action).toBeNull()
})

test('a task that needs a person is retried; any other is reported as not waiting', () => {
  expect(typed([text('a')]).action).toEqual({ kind: 'retry', task: 'd' })
  expect(typed([text('jja')]).action).toEqual({ kind: 'remark', text: 'b is not waiting for you: it is running.' })
})

test('p pauses the run, and resumes a paused one', () => {
  expect(typed([text('p')]).action).toEqual({ kind: 'pause' })
  const paused = { ...shown, model: { ...model, run: { ...model.run, state: 'paused' as const } } }
  expect(press(FRESH_UI, text('p'), paused).action).toEqual({ kind: 'resume' })
})

test('a transcript is followed until the user scrolls up, and again at its end', () => {
  const at = (top: number | null): Ui => ({ ...FRESH_UI, page: { kind: 'transcript', top } })
  const key = (ui: Ui, kind: 'up' | 'end' | 'page-down') => press(ui, { kind }, shown).ui.page
  expect(typed([text('t')]).ui.page).toEqual({ kind: 'transcript', top: null })
  expect(key(at(null), 'up')).toEqual({ kind: 'transcript', top: 89 })
  expect(key(at(50), 'end')).toEqual({ kind: 'transcript', top: null })
  expect(key(at(50), 'page-down')).toEqual({ kind: 'transcript', top: 59 })
})

test.each([
  ['\u001b[A\u001b[B\u001bOA', ['up', 'down', 'up']],
  ['\u001b[5~\u001b[6~\u001b[H\u001b[F', ['page-up', 'page-down', 'home', 'end']],
  ['\r\u007f\u0003\u001a\u001b', ['enter', 'backspace', 'interrupt', 'stop', 'escape']],
  ['jq', ['jq']],
  ['grüße 世界\r', ['grüße 世界', 'enter']],
  ['\u001b[1;5Cx\u0001', ['x']],
])('a terminal sends %j', (input, keys) => {
  expect(decodeKeys(input).map((key) => (key.kind === 'text' ? key.text : key.kind))).toEqual(keys)
})

const shown = { model, height: 10, length: 100 }

function text(letters: string): PlainKey {
  return { kind: 'text', text: letters }
}

function typed(keys: readonly PlainKey[]): Pressed {
  return keys.reduce<Pressed>(({ ui }, key) => press(ui, key, shown), { ui: FRESH_UI, action: null })
}
