import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { doctorSchema } from '../../src/index.ts'
import { type CommandResult, type Journey, jsonLines, newJourney, SETTINGS, taskFile, WRITES } from './new-journey.ts'

test('doctor lists what is fine, and every error of wrong settings', async () => {
  const journey = newJourney(
    {
      'longhaul.yaml': `${SETTINGS}roles: { fixer: { model: opus } }\nworkspace: { setup: [npm ci] }\n`,
      'script.yaml': WRITES,
    },
    { sandbox: 'standard' },
  )
  const fine = await journey.cliInProcess('doctor', '--json')
  expect(fine.code).toBe(0)
  expect(checksIn(fine, 'warn')).toMatchObject([
    { message: 'setup creates node_modules, which git does not ignore.', hint: 'Add node_modules/ to .gitignore.' },
    { message: 'roles.fixer has no effect: no phase has the role fixer.' },
  ])
  const names = checksOf(fine).map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['node', 'sqlite', 'git', 'identity', 'sandbox', 'agent', 'disk', 'state']),
  )
  expect(checksIn(fine, 'bad')).toEqual([])
  expect(
    checksOf(fine)
      .filter(({ name }) => name === 'agent')
      .map(({ message }) => message),
  ).toEqual(['scripted, access workspace: ready', 'claude: not used by these settings, so not checked'])
  expect(journey.read('.git/longhaul/state.db')).toBe(null)

  journey.write('longhaul.yaml', 'gate: []\nlimits: { paralel: 2 }\n')
  const wrong = await journey.cliInProcess('doctor')
  expect(wrong.code).toBe(1)
  expect(wrong.stdout).toMatch(/bad +settings +longhaul.yaml:1: unknown key "gate"/)
  expect(wrong.stdout).toMatch(/bad +settings +longhaul.yaml:2: unknown key "paralel" in limits/)
  expect(wrong.stdout).toMatch(/agent +not checked, because the settings are invalid/)
  expect(wrong.stdout).not.toContain('claude')
})

test('doctor finds leftovers of crashes, and --fix removes and reports them', async () => {
  const journey = newJourney(undefined, { sandbox: 'standard' })
  journey.write('tasks.json', taskFile('a'))
  await journey.cliInProcess('import', 'tasks.json')
  await journey.cli('run')
  const left = leaveBehind(journey)
  const exited = once(left.child, 'exit')

  const warnings = checksIn(await journey.cliInProcess('doctor', '--json'), 'warn')
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining(`process ${left.child.pid} (sleep) is running in check+out-x`),
    expect.stringContaining('leftover checkout check+out-x in'),
    expect.stringContaining('.verify-999999999 was left in'),
    expect.stringContaining('refs/longhaul/landed/other.lock was left by a git process that was killed'),
    expect.stringContaining('refs that keep commits of finished work: refs/longhaul/base/gone-a1'),
  ])
  expect(warnings.every(({ fixable, hint }) => fixable && hint === 'Run: longhaul doctor --fix')).toBe(true)
  expect(existsSync(left.lock)).toBe(true)

  const fixed = await journey.cliInProcess('doctor', '--fix', '--json')
  expect(fixed.code).toBe(0)
  expect(checksOf(fixed).flatMap(({ fixed }) => fixed ?? [])).toEqual([
    expect.stringContaining(`ended process ${left.child.pid}`),
    expect.stringContaining('removed the checkout check+out-x'),
    'removed .verify-999999999',
    `removed ${left.lock}`,
    expect.stringContaining('removed refs/longhaul/base/gone-a1'),
  ])
  await exited
  expect([left.checkout, left.lock].filter(existsSync)).toEqual([])
  expect(journey.git('for-each-ref', '--format=%(refname)', 'refs/longhaul')).toBe(
    'refs/longhaul/landed/main\nrefs/longhaul/seen/main',
  )
  expect(checksIn(await journey.cliInProcess('doctor', '--json'), 'warn')).toEqual([])
})

test('doctor --baseline runs the checks on the target', async () => {
  const journey = newJourney(undefined, { sandbox: 'standard' })
  expect((await journey.cliInProcess('doctor', '--baseline')).stdout).toMatch(/ok +baseline +the checks pass on main/)
  journey.write('red', '')
  journey.commit()
  const red = await journey.cliInProcess('doctor', '--baseline')
  expect(red.code).toBe(1)
  expect(red.stdout).toMatch(/bad +baseline +the checks fail on main .*tests: "test ! -e red" ended with exit code 1/)
})

type Checks = ReturnType<typeof doctorSchema.parse>['checks']

function checksOf(ran: CommandResult): Checks {
  return doctorSchema.parse(jsonLines(ran)[0]).checks
}

function checksIn(ran: CommandResult, state: Checks[number]['state']): Checks {
  return checksOf(ran).filter((check) => check.state === state)
}

/** Creates leftovers of a killed engine: a checkout with a process in it, a lock and a ref. */
function leaveBehind(journey: Journey) {
  const [home = ''] = checkoutHomes(journey)
  const checkout = join(home, 'check+out-x')
  mkdirSync(join(checkout, 'tree'), { recursive: true })
  mkdirSync(join(home, '.verify-999999999'))
  const child = spawn('sleep', ['600'], { cwd: join(checkout, 'tree'), detached: true, stdio: 'ignore' })
  const lock = join(journey.repository, '.git/refs/longhaul/landed/other.lock')
  writeFileSync(lock, '')
  utimesSync(lock, 1, 1)
  journey.git('update-ref', 'refs/longhaul/base/gone-a1', 'HEAD')
  return { checkout, child, lock }
}

function checkoutHomes({ env }: Journey): readonly string[] {
  const state = join(env.XDG_STATE_HOME ?? '', 'longhaul')
  return readdirSync(state).map((name) => join(state, name))
}
