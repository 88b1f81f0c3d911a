import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { opened, roundStarted, SESSION } from '../../../../test/given/given-attempt.ts'
import { givenModel } from '../../../../test/given/given-live.ts'
import { AT, givenTask, landed, openedRun, ready, started } from '../../../../test/given/given-run.ts'
import type { AttemptEvent } from '../../../core/model/attempt-event.ts'
import type { AttemptId, TaskId } from '../../../core/model/ids.ts'
import type { LiveModel } from '../../../core/views/live/live-model.ts'
import { widthOf } from '../render/columns.ts'
import { composeFrame, type Scene } from './frame.ts'
import type { ScreenLine } from './spans.ts'
import { FRESH_UI, type Ui } from './ui.ts'

const tasks = [
  givenTask('parse', [], { title: 'Read durations such as "1h 30m"' }),
  givenTask('format', [], { title: 'Write durations' }),
  givenTask('compare', ['parse'], { title: 'Compare two durations' }),
  givenTask('数え方', [], { title: '期間を読む関数を書く、そして壊れた入力を断る' }),
  givenTask('readme', [], { title: 'Say it in the README 👩‍👩‍👧‍👦' }),
  givenTask('cli', [], { title: 'A command' }),
  givenTask('api', [], { title: 'One place to import from' }),
]

const used: AttemptEvent = {
  kind: 'usage-observed',
  usage: {
    session: SESSION,
    message: 'm1',
    model: 'opus',
    window: 200_000,
    scope: 'main',
    hourCacheWrite: 0,
    tokens: { input: 2_000, cacheRead: 140_000, cacheWrite: 4_000, output: 900 },
  },
  usd: 0.34,
  day: '1970-01-01',
}

const modelOf = (backlog: typeof tasks) =>
  givenModel(
    [
      [
        0,
        ...openedRun(backlog, { budget: { taskUsd: 5, runUsd: 50, dayUsd: 100 } }),
        { kind: 'engine-started', pid: 1 },
      ],
      [0, ...landed('api'), started('parse'), started('readme'), ready('readme'), started('format')],
      [0, { kind: 'task-held', task: 'cli' as TaskId, reason: 'its budget of 5 USD is spent', hint: 'Raise it.' }],
      [0, { kind: 'limit-hit', credential: 'scripted', until: AT + 754_000, estimated: false }],
    ],
    {
      seconds: 41,
      attempts: { 'parse-a1': [...opened(), roundStarted(2), used], 'format-a1': opened().slice(0, 1) },
      activities: [
        {
          attempt: 'parse-a1' as AttemptId,
          round: 2,
          activity: { kind: 'tool', name: 'Bash' },
          signs: 3,
          since: AT + 38_000,
          heardAt: AT + 40_000,
          at: AT + 40_000,
        },
      ],
    },
  )

const model = modelOf(tasks)

const recent: Scene['recent'] = [
  { time: '03:38:30', about: '', text: 'engine started', tone: 'plain' },
  { time: '03:38:33', about: 'api', text: 'landed as fc4a154d56', tone: 'good' },
]

function screen(columns: number, rows: number, ui: Partial<Ui> = {}, scene: Partial<Scene> = {}): readonly string[] {
  const whole = { model, recent, notice: null, page: [], ui: { ...FRESH_UI, ...ui }, ...scene }
  return composeFrame(whole, { columns, rows }).lines.map(lineText)
}

test('at 80 × 24', async () => {
  await expect(asText(screen(80, 24, { chosen: 'compare' as TaskId }))).toMatchFileSnapshot(join(SCREENS, '80x24.txt'))
})

test('the screen that the README shows', async () => {
  const plain = tasks.flatMap((task) => {
    if (task.id === 'readme') return [{ ...task, title: 'Describe the package in the README' }]
    return /^[a-z]+$/.test(task.id) ? [task] : []
  })
  const lines = screen(80, 20, { chosen: 'parse' as TaskId }, { model: modelOf(plain) })
  await expect(asText(lines)).toMatchFileSnapshot(join(SCREENS, 'readme.txt'))
})

test('at 200 × 24, with titles, gauges, hand-offs and the source of the estimate', async () => {
  await expect(asText(screen(200, 24))).toMatchFileSnapshot(join(SCREENS, '200x24.txt'))
})

test('at 40 × 10, with the essentials', async () => {
  await expect(asText(screen(40, 10))).toMatchFileSnapshot(join(SCREENS, '40x10.txt'))
})

test('a stage of Ctrl-C, and a text that is being typed', () => {
  const notice = { text: 'Finishing the running rounds.', tone: 'warn' } as const
  const lines = screen(80, 24, { chosen: 'parse' as TaskId, typing: 'leave the old form' }, { notice })
  expect(lines.slice(-2)).toEqual(['Finishing the running rounds.', 'Message to parse: leave the old form▏'])
})

test.each([
  [80, 24],
  [200, 50],
  [40, 10],
  [20, 3],
  [5, 2],
  [1, 1],
])('at %d × %d no line is too wide, and there are as many as rows', (columns, rows) => {
  for (const chosen of [null, ...tasks.map(({ id }) => id)]) {
    const lines = screen(columns, rows, { chosen })
    expect(lines).toHaveLength(rows)
    expect(lines.filter((line) => widthOf(line) > columns)).toEqual([])
  }
})

test.each([
  [80, '● parse         implement · round 2 · Bash          3s  ↻2 73%     1/10    0.34'],
  [140, '73%     1/10    0.34          2'],
])('hand-offs are visible at %d columns', (columns, shown) => {
  const handed: LiveModel = {
    ...model,
    task(id) {
      const { attempt, ...task } = model.task(id)
      return { ...task, attempt: attempt === null ? null : { ...attempt, handOffs: 2 } }
    },
  }
  expect(screen(columns, 24, {}, { model: handed }).join('\n')).toContain(shown)
})

test('a long title uses the room that a short reason leaves', () => {
  const title = 'One place to import everything from, for those who use it and for those who read it'
  const long: LiveModel = {
    ...model,
    task: (id) => ({ ...model.task(id), ...(id === 'api' ? { title } : {}) }),
  }
  expect(screen(140, 24, {}, { model: long }).join('\n')).toContain(title)
})

test('text from agents or people cannot control the terminal', () => {
  const evil = givenModel([[0, ...openedRun([givenTask('x', [], { title: 'a\u001b[2Jb\u0007\u202ec\r\nd' })])]])
  expect(screen(80, 24, {}, { model: evil }).join('')).not.toMatch(/[\p{Cc}\u202e]/u)
})

describe('with 3,000 tasks', () => {
  const many = Array.from({ length: 3_000 }, (_, n) => givenTask(`t${n}`))
  const big = givenModel([[0, ...openedRun(many)]])
  const looked: TaskId[] = []
  const counting: LiveModel = {
    ...big,
    task(id) {
      looked.push(id)
      return big.task(id)
    },
  }

  test('only visible ones are laid out', () => {
    looked.length = 0
    const lines = screen(80, 24, { chosen: 't2999' as TaskId }, { model: counting })
    expect(lines.filter((line) => line.startsWith('❯'))).toEqual([expect.stringContaining('t2999')])
    expect(looked.length).toBeLessThan(30)
  })

  test('the list scrolls as little as it has to', () => {
    const at = (chosen: string, top: number) => {
      const ui = { ...FRESH_UI, chosen: chosen as TaskId, top }
      return composeFrame({ model: big, recent: [], notice: null, page: [], ui }, { columns: 80, rows: 24 }).top
    }
    expect(at('t0', 500)).toBe(0)
    expect(at('t100', 95)).toBe(95)
    expect(at('t100', 200)).toBe(100)
    expect(at('t100', 0)).toBe(84)
    expect(at('t2999', 0)).toBe(2983)
  })
})

function asText(lines: readonly string[]): string {
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}

const SCREENS = join(import.meta.dirname, '../../../../test/golden/screens')

function lineText(line: ScreenLine): string {
  return line.map(({ text }) => text).join('')
}
