import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GoldenProject, makeProject } from './project.ts'
import { NOON, recordShowcase } from './showcase.ts'
import { typed } from './terminal.ts'

let [showcase, empty] = [] as unknown as [GoldenProject, GoldenProject]

beforeAll(async () => {
  ;[showcase, empty] = [makeProject(), makeProject()]
  await recordShowcase(showcase)
})
afterAll(() => {
  for (const project of [showcase, empty]) project.remove()
})

const FILES = ['<files>']
const NONE: readonly string[] = []
const PRESETS = ['fast', 'safe', 'strict', 'node', 'python', 'go', 'rust']

test.each<readonly [line: string, words: readonly string[]]>([
  ['--', ['--version', '--help']],
  ['config show --', ['--parallel', '--model', '--budget', '--sandbox', '--source', '--json', '--help']],
  ['config validate ', FILES],
  ['diff greet --stat --', ['--json', '--help']],
  ['diff greet ', NONE],
  ['log --level ', ['info', 'notice', 'warning', 'problem']],
  ['log --attempt ', ['greet-a1', 'greet-a2', '国際化-a1', 'limits-a1', 'colours-a1']],
  ['log --since ', NONE],
  ['add ', NONE],
  ['add new --milestone ', ['first']],
  ['add new --weight ', ['trivial', 'small', 'medium', 'large', 'greenfield']],
  ['init --preset ', PRESETS],
  ['init --preset node ', PRESETS],
  ['init --preset node --', ['--driver', '--dry-run', '--json', '--help']],
  ['init --driver=', ['--driver=claude', '--driver=scripted']],
  ['import one.yaml ', FILES],
  ['export ', FILES],
  ['lab --record ', FILES],
  ['run --parallel ', NONE],
  ['run -- --', NONE],
  ['completion ', ['bash', 'zsh', 'fish']],
  ['nonsense ', NONE],
])('after "longhaul %s" comes %j', async (line, words) => {
  expect(await next(showcase, line)).toEqual(words)
})

test('tasks are offered as argument and after options, with their states', async () => {
  const tasks = ['greet', '国際化', 'shout', 'limits', 'colours', 'broken', 'after-broken', 'unwanted', 'last']
  for (const line of ['show ', 'retry --json ', 'log --task ']) expect(await next(showcase, line)).toEqual(tasks)
  const others = tasks.filter((task) => task !== 'greet')
  expect(await next(showcase, 'add new --after greet,')).toEqual(others.map((task) => `greet,${task}`))
  const { stdout } = await typed({ folder: showcase.folder, width: null, now: NOON }, 'completion', '--next=show\t')
  expect(stdout).toContain('greet\tdone: A function that greets\n')
})

test('a verb with parts offers them, also after help', async () => {
  for (const line of ['config ', 'help config ']) {
    expect(await next(showcase, line)).toEqual(expect.arrayContaining(['show', 'validate', 'explain', 'schema']))
  }
})

test('every key of the settings and every kind of fact is offered', async () => {
  expect(await next(showcase, 'config explain ')).toEqual(expect.arrayContaining(['preset', 'gates.run', 'prices']))
  expect(await next(showcase, 'log --kind landed,')).toContain('landed,run-opened')
})

test('an empty repository offers no tasks', async () => {
  expect(await next(empty, 'show ')).toEqual([])
})

/** Returns the completions of a line whose last word is incomplete. */
async function next({ folder }: GoldenProject, line: string): Promise<readonly string[]> {
  const option = `--next=${line.replaceAll(' ', '\t')}`
  const { stdout } = await typed({ folder, width: null, now: NOON }, 'completion', option)
  const lines = stdout.split('\n').filter((one) => one !== '')
  return lines.map((one) => one.split('\t')[0] ?? '')
}
