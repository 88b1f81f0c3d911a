import stringWidth from 'string-width'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GoldenProject, makeProject } from './project.ts'
import { NOON, recordShowcase } from './showcase.ts'
import { typed } from './terminal.ts'

const WIDTHS = [80, 120] as const

let [fresh, showcase] = [] as unknown as [GoldenProject, GoldenProject]

beforeAll(async () => {
  ;[fresh, showcase] = [makeProject(), makeProject()]
  fresh.commit('first', { 'package.json': '{ "scripts": { "test": "node --test", "lint": "eslint ." } }\n' })
  await recordShowcase(showcase)
  for (const project of [fresh, showcase]) identify(project)
  showcase.commit('settings', {
    'longhaul.yaml':
      'target: main\nagent: { driver: scripted, script: script.yaml }\ngates: [ { name: tests, run: npm test } ]\n',
    'package.json': '{ "scripts": { "test": "timeout 60 vitest run" }, "devDependencies": { "vitest": "4.0.0" } }\n',
    'vitest.config.ts': "export default { test: { setupFiles: ['./test/setup.ts'] } }\n",
    'test/setup.ts': '',
    'script.yaml': '- { task: "*", steps: [ { report: done } ] }\n',
  })
})
afterAll(() => {
  for (const project of [fresh, showcase]) project.remove()
})

describe.each(WIDTHS)('at %d columns', (width) => {
  test.each([
    ['init-dry-run', () => fresh, ['init', '--preset', 'node', 'safe', '--driver', 'scripted', '--dry-run']],
    ['config-show', () => showcase, ['config', 'show', '--source', '--parallel', '2']],
    ['config-explain', () => showcase, ['config', 'explain']],
    ['config-explain-key', () => showcase, ['config', 'explain', 'limits.parallel']],
    ['config-explain-gates', () => showcase, ['config', 'explain', 'gates']],
    ['config-workflows', () => showcase, ['config', 'workflows']],
    ['config-prompts', () => showcase, ['config', 'prompts']],
    ['config-validate', () => showcase, ['config', 'validate']],
    ['config-validate-none', () => fresh, ['config', 'validate']],
    ['doctor', () => showcase, ['doctor']],
    ['dry-run', () => showcase, ['run', '--dry-run']],
    ['gc', () => showcase, ['gc']],
  ] as const)('%s', async (name, project, args) => {
    const { folder, plain } = project()
    const { code, stdout } = await typed({ folder, width, now: NOON }, ...args)
    expect(code).toBe(0)
    expect(stdout.split('\n').filter((line) => stringWidth(line) > width && !isVerbatim(line))).toEqual([])
    await expect(ofAnyMachine(plain(stdout))).toMatchFileSnapshot(`outputs/${width}/${name}.txt`)
  })
})

describe.each(WIDTHS)('verbs that change a run, at %d columns', (width) => {
  test.each([
    ['export', ['export', 'exported']],
    ['verify', ['verify', 'greet']],
    ['revert', ['revert', 'greet']],
  ] as const)('%s', async (name, args) => {
    const project = makeProject()
    try {
      await recordShowcase(project)
      identify(project)
      const { code, stdout, stderr } = await typed({ folder: project.folder, width, now: NOON }, ...args)
      expect(code).toBe(0)
      await expect(ofAnyMachine(project.plain(stdout + stderr))).toMatchFileSnapshot(`outputs/${width}/${name}.txt`)
    } finally {
      project.remove()
    }
  })
})

test('each verb that steers reports what it did, or why not and what to do', async () => {
  const project = makeProject()
  try {
    await recordShowcase(project)
    identify(project)
    const outputs: string[] = []
    for (const line of STEERING) {
      const { code, stdout, stderr } = await typed({ folder: project.folder, width: 80, now: NOON }, ...line.split(' '))
      outputs.push(`$ longhaul ${line}\n${stdout}${stderr}(ends with ${code})\n`)
    }
    await expect(project.plain(outputs.join('\n'))).toMatchFileSnapshot('outputs/pipe/steering.txt')
  } finally {
    project.remove()
  }
})

const STEERING = [
  'steer colours red',
  'retry colours',
  'retry colours',
  'steer greet faster',
  'retry after-broken',
  'retry brokn',
  'skip broken',
  'skip broken',
  'skip greet',
  'stop shout',
  'stop greet',
  'stop',
  'verify shout',
  'revert shout',
  'reject contrast no',
  'show contrast',
  'pause',
  'pause',
  'resume',
  'resume',
  'diff shout',
  'revert greet',
  'revert greet',
  'revert greet --alone --with-dependents',
]

function identify({ git }: GoldenProject): void {
  git('config', 'user.name', 'Ursula User')
  git('config', 'user.email', 'user@example.org')
}

/** Settings and paths are printed whole, however long. */
function isVerbatim(line: string): boolean {
  return /^ *#|^ *\S*: |^ {2}- |\/project|\/workspaces|longhaul-golden/.test(line)
}

/** Removes the facts about this machine. */
function ofAnyMachine(text: string): string {
  return text
    .replaceAll(/^(ok|note|warn|bad) +(node|sqlite|git|sandbox|agent|disk|workspaces) .*\n( {20}.*\n)*/gm, '…     $2\n')
    .replaceAll(/\b[\d.]+ (bytes|kB|MB)\b/g, '… $1')
    .replaceAll(/, \d+s, output/g, ', …, output')
}
