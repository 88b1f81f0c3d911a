import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import stringWidth from 'string-width'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SHAPES } from '../../src/index.ts'
import { ledgerLines } from '../ledgers/fold-ledgers.ts'
import type { Fact } from './facts.ts'
import { type GoldenProject, makeProject } from './project.ts'
import { NOON, recordShowcase } from './showcase.ts'
import { recordStalemate } from './stalemate.ts'
import { typed } from './terminal.ts'

const WIDTHS = [80, 120] as const

let [showcase, stalled, ended, empty] = [] as unknown as [GoldenProject, GoldenProject, GoldenProject, GoldenProject]

beforeAll(async () => {
  ;[showcase, stalled, ended, empty] = [makeProject(), makeProject(), makeProject(), makeProject()]
  await recordShowcase(showcase)
  await recordStalemate(stalled)
  await ended.record(factsOf('seed-174.jsonl'))
})
afterAll(() => {
  for (const project of [showcase, stalled, ended, empty]) project.remove()
})

const VIEWS: readonly (readonly [name: string, project: () => GoldenProject, args: readonly string[]])[] = [
  ['status', () => showcase, ['status']],
  ['show-landed', () => showcase, ['show', 'greet']],
  ['show-receipts', () => showcase, ['show', 'greet', '--receipts']],
  ['show-wide', () => showcase, ['show', '国際化']],
  ['show-notes', () => showcase, ['show', '国際化', '--notes']],
  ['show-needs-person', () => showcase, ['show', 'colours']],
  ['show-dossier', () => stalled, ['show', 'parse', '--dossier']],
  ['show-dossier-question', () => showcase, ['show', 'colours', '--dossier']],
  ['status-stalled', () => stalled, ['status']],
  ['show-proposal', () => showcase, ['show', 'contrast']],
  ['show-knowledge', () => showcase, ['show', '--knowledge']],
  ['show-blocked', () => showcase, ['show', 'after-broken']],
  ['show-prompt', () => showcase, ['show', 'shout', '--prompt']],
  ['diff-stat', () => showcase, ['diff', 'greet', '--stat']],
  ['log', () => showcase, ['log']],
  ['log-warnings', () => showcase, ['log', '--level', 'warning']],
  ['status-ended', () => ended, ['status']],
  ['show-ended', () => ended, ['show', 't0']],
  ['watch-ended', () => ended, ['watch']],
  ['status-empty', () => empty, ['status']],
  ['log-empty', () => empty, ['log']],
]

describe.each(WIDTHS)('at %d columns', (width) => {
  test.each(VIEWS)('%s', async (name, project, args) => {
    const { folder, plain } = project()
    const { code, stdout } = await typed({ folder, width, now: NOON }, ...args)
    expect(code).toBe(0)
    await expect(plain(stdout)).toMatchFileSnapshot(`outputs/${width}/${name}.txt`)
  })

  test.each(VIEWS.filter(([name]) => /^(show|log)-?/.test(name) && name !== 'show-prompt'))(
    '%s keeps to the width',
    async (_, project, args) => {
      const { stdout } = await typed({ folder: project().folder, width, now: NOON }, ...args)
      expect(stdout.split('\n').filter((line) => stringWidth(line) > width)).toEqual([])
    },
  )
})

test('a diff is piped unchanged from git', async () => {
  const { stdout } = await typed({ folder: showcase.folder, width: null, now: NOON }, 'diff', 'greet')
  await expect(stdout).toMatchFileSnapshot('outputs/pipe/diff.txt')
})

test.each([
  ['unknown-task', ['show', 'gret']],
  ['show-nothing', ['show']],
  ['log-unknown-task', ['log', '--task', 'gret']],
  ['unknown-kind', ['log', '--kind', 'round-end']],
  ['unknown-level', ['log', '--level', 'loud']],
  ['not-a-time', ['log', '--since', 'yesterday']],
])('%s: refused with what to do', async (what, args) => {
  const { code, stderr } = await typed({ folder: showcase.folder, width: 80, now: NOON }, ...args)
  expect(code).toBe(2)
  await expect(stderr).toMatchFileSnapshot(`outputs/errors/${what}.txt`)
})

test('an empty log says so on stderr', async () => {
  const printed = await typed(
    { folder: showcase.folder, width: 80, now: NOON },
    'log',
    '--task',
    'last',
    '--since',
    '1m',
  )
  expect(printed).toEqual({ code: 0, stdout: '', stderr: 'No events match.\n' })
})

test.each([
  ['status', ['status']],
  ['show', ['show', 'greet']],
  ['show', ['show', '国際化']],
  ['show', ['show', 'greet', '--dossier']],
  ['show', ['show', 'last', '--prompt']],
  ['show', ['show', 'contrast']],
  ['show', ['show', '--knowledge']],
  ['diff', ['diff', 'greet']],
  ['diff', ['diff', 'last']],
  ['log', ['log']],
] as const)('%s --json has its shape', async (verb, args) => {
  const { stdout } = await typed({ folder: showcase.folder, width: null, now: NOON }, ...args, '--json')
  const documents = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  expect(documents.flatMap((document) => SHAPES[verb].safeParse(document).error?.issues ?? [])).toEqual([])
})

/** Reads a golden ledger of the simulation. */
function factsOf(file: string): readonly Fact[] {
  const text = readFileSync(join(import.meta.dirname, '../ledgers', file), 'utf8')
  return ledgerLines(text).map(({ ledger, at, body: event }) => ({ ledger, at, event }))
}
