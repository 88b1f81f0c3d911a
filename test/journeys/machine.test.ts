import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SOON } from '../patience.ts'
import { landedTasks } from './backlogs.ts'
import { type Journey, SETTINGS, WRITES, waitUntil } from './journey.ts'
import { leftovers, processesOf } from './leftovers.ts'
import { jsonLines, newJourney, ONE_ATTEMPT, taskFile } from './new-journey.ts'

test('of two engines started at the same time one works, and the other is refused and names it', async () => {
  const journey = newJourney()
  await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
  const engines = [journey.start(['run']), journey.start(['run'])]
  const [first, second] = await Promise.all(engines.map((engine) => engine.ended))
  const loser = first?.code === 0 ? second : first
  expect([first?.code, second?.code].toSorted()).toEqual([0, 2])
  const winner = engines[first?.code === 0 ? 0 : 1]
  expect(loser?.stderr).toMatch(
    new RegExp(`^longhaul: Process ${winner?.child.pid} has been the engine of this repository`),
  )
  expect(landedTasks(journey)).toEqual(['a'])
  expect(leftovers(journey)).toEqual([])
})

test('incomplete and partly removed workspaces are created again, and their content is kept', async () => {
  const hangs = '- { task: "*", steps: [ { write: { path: "half-{task}.txt", text: half } }, { hang: true } ] }\n'
  const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': hangs })
  const tasks = ['no-git', 'no-mark', 'no-tree']
  await importTasks(journey, tasks)
  const engine = journey.start(['run'])
  for (const task of tasks) await journey.workspaceHas(`${task}-a1`, `half-${task}.txt`)
  engine.child.kill('SIGKILL')
  await engine.ended
  await waitUntil('the agents to end', () => processesOf(journey).length === 0)

  const home = workspacesHome(journey)
  rmSync(join(home, 'no-git-a1/tree/.git'), { recursive: true })
  rmSync(join(home, '.own/no-mark-a1/ready'))
  rmSync(join(home, 'no-tree-a1'), { recursive: true })
  for (const left of ['check+out-old/tree', '.removing-gone-a1/tree', 'never-a7/tree'])
    mkdirSync(join(home, left), { recursive: true })
  writeFileSync(join(home, 'check+out-old/tree/file'), '')
  journey.write('script.yaml', WRITES)

  expect(await journey.cli('run')).toMatchObject({ code: 0, stderr: '' })
  expect(landedTasks(journey, 'refs/longhaul/landed/main').toSorted()).toEqual(tasks.toSorted())
  const { tasks: states } = await journey.status()
  expect(states.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(['done 1', 'done 1', 'done 1'])
  expect(journey.git('show', 'refs/longhaul/salvage/no-git-a1:half-no-git.txt')).toBe('half')
  expect(leftovers(journey)).toEqual(['ref refs/longhaul/salvage/no-git-a1'])
})

describe('setup and hooks', () => {
  test('a failing setup fails the task immediately and is its reason', async () => {
    const setup = 'workspace: { setup: [ "true", "echo no network >&2; exit 7" ] }\n'
    const journey = newJourney({ 'longhaul.yaml': `${SETTINGS}${setup}`, 'script.yaml': WRITES })
    await importTasks(journey, ['a', 'b:a'])
    const reason = 'the workspace could not be set up: "echo no network >&2; exit 7" ended with exit code 7: no network'
    const ran = await journey.cli('run')
    expect(ran.code).toBe(1)
    expect(ran.stdout).toMatch(/baseline checks FAILED on [0-9a-f]{10}: setup: /)
    expect(ran.stdout.split('\n').filter((line) => line.includes(reason)).length).toBeGreaterThanOrEqual(2)
    expect((await journey.status()).tasks).toMatchObject([
      { state: 'failed', attempts: 1, reason },
      { state: 'blocked', attempts: 0, reason: 'blocked by a, which failed' },
    ])
    expect((await journey.cliInProcess('show', 'a', '--dossier')).stdout).toContain('\n         no network\n')
    expect((await journey.cliInProcess('doctor', '--baseline')).stdout).toMatch(/\n +no network\n/)
    const again = await journey.cli('run')
    expect(again).toMatchObject({ code: 1, stdout: expect.stringContaining('Nothing to do: run ') })
    expect(again.stdout).toContain('to try again: longhaul retry a\n')

    journey.write('longhaul.yaml', SETTINGS)
    expect((await journey.cliInProcess('retry', 'a')).code).toBe(0)
    expect(await journey.cli('run')).toMatchObject({ code: 0 })
  })

  test('a hook before a round must pass; a failing hook after it is only reported', async () => {
    const hooks = 'before_run: "test ! -e stop || { echo not today; exit 5; }", after_run: "echo loud; exit 6"'
    const journey = newJourney({
      'longhaul.yaml': `${ONE_ATTEMPT}workspace: { hooks: { ${hooks} } }\n`,
      'script.yaml': `- { task: stops, steps: [ { run: "touch stop" }, { report: continue } ] }\n${WRITES}`,
    })
    await importTasks(journey, ['stops', 'goes'])
    expect((await journey.cli('run')).code).toBe(1)
    expect((await journey.status()).tasks).toMatchObject([
      { state: 'failed', reason: expect.stringContaining('failed (exit code 5): not today') },
      { state: 'done' },
    ])
    const noted = jsonLines(await journey.cliInProcess('log', '--json', '--task', 'goes')).filter(
      ({ kind }) => kind === 'notice-recorded',
    )
    expect(noted).toMatchObject([{ text: expect.stringContaining('failed (exit code 6): loud') }])
  })
})

describe.skipIf(!canMount())('a separate disk', () => {
  const FILLS = (file: string) =>
    `- { task: a, round: 1, steps: [ { run: "cat /dev/zero > '${file}'; echo a > a.txt" }, { report: done } ] }\n${WRITES}`

  test.each(['the repository', 'the workspaces'])(
    'that is full under %s stops everything cleanly, and work continues when there is space',
    async (what) => {
      const disk = mountDisk(what === 'the repository' ? '12m' : '2m')
      const where = what === 'the repository' ? { parent: disk } : { env: { XDG_STATE_HOME: disk } }
      const journey = newJourney({ 'longhaul.yaml': SETTINGS }, where)
      const filler = join(disk, 'filler')
      journey.write('script.yaml', FILLS(filler))
      await importTasks(journey, ['a', 'b:a'])
      const full = await journey.cli('run')
      expect(full).toMatchObject({ code: 3, stderr: expect.stringMatching(/disk .*is full.*\n {2}(Make room|Free)/) })
      expect(processesOf(journey)).toEqual([])
      rmSync(filler)
      expect(await journey.cli('run')).toMatchObject({ code: 0, stderr: '' })
      expect((await journey.status()).tasks.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual([
        'done 1',
        'done 1',
      ])
      expect(landedTasks(journey)).toEqual(['a', 'b'])
      expect(leftovers(journey)).toEqual([])
    },
  )

  test.each(['the repository', 'the workspaces'])(
    'that turns read-only under %s stops everything cleanly, shows what is known, and costs no attempt',
    async (what) => {
      const disk = mountDisk('12m')
      const where = what === 'the repository' ? { parent: disk } : { env: { XDG_STATE_HOME: disk } }
      const journey = newJourney({ 'longhaul.yaml': SETTINGS }, where)
      const signal = mkdtempSync(join(tmpdir(), 'longhaul-signal-'))
      onTestFinished(() => rmSync(signal, { recursive: true }))
      const waits = `echo a > a.txt; touch ${signal}/works; until [ -e ${signal}/go ]; do sleep 0.05; done`
      journey.write(
        'script.yaml',
        `- { task: a, round: 1, steps: [ { run: "${waits}" }, { report: done } ] }\n${WRITES}`,
      )
      await importTasks(journey, ['a', 'b:a'])
      const engine = journey.start(['run'])
      await expect.poll(() => existsSync(join(signal, 'works')), SOON).toBe(true)
      const restore = coverReadOnly(disk)
      writeFileSync(join(signal, 'go'), '')
      const stopped = await engine.ended
      expect(stopped).toMatchObject({ code: 3, stderr: expect.stringMatching(/The disk that holds .* is read-only\./) })
      expect(processesOf(journey)).toEqual([])

      const again = await journey.cli('run')
      expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(/The disk that holds .* is read-only\./) })
      for (const verb of [['status'], ['show', 'a'], ['log']]) {
        expect(await journey.cli(...verb)).toMatchObject({ code: 0, stdout: expect.stringContaining('a') })
      }
      restore()
      expect(await journey.cli('run')).toMatchObject({ code: 0 })
      expect((await journey.status()).tasks).toMatchObject([
        { state: 'done', attempts: 1 },
        { state: 'done', attempts: 1 },
      ])
      expect(journey.git('show', 'refs/longhaul/landed/main:a.txt')).toBe('a')
    },
  )

  test('that is read-only is refused and left as it is', async () => {
    const disk = mountDisk('12m')
    const journey = newJourney(undefined, { parent: disk })
    await importTasks(journey, ['a'])
    const file = join(journey.repository, '.git/longhaul/state.db')
    const before = readFileSync(file)
    const restore = coverReadOnly(disk)
    for (const args of [['run'], ['add', 'b', '--title', 'B'], ['retry', 'a']]) {
      const refused = await journey.cli(...args)
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('state.db is read-only') })
    }
    expect(readFileSync(file).equals(before)).toBe(true)
    restore()
    expect((await journey.cli('run')).code).toBe(0)
  })
})

async function importTasks(journey: Journey, tasks: readonly string[]): Promise<void> {
  journey.write('tasks.json', taskFile(...tasks))
  journey.commit('tasks')
  // In a new process, which leaves no file open on a disk that is remounted later.
  expect(await journey.cli('import', 'tasks.json')).toMatchObject({ code: 0, stderr: '' })
}

/** Folder of the workspaces of the journey's repository. */
function workspacesHome({ env }: Journey): string {
  const home = join(env.XDG_STATE_HOME ?? '', 'longhaul')
  const [name = ''] = readdirSync(home)
  return join(home, name)
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul mount '))
  try {
    asRoot('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder)
    asRoot('umount', folder)
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Mounts a small disk for the duration of the test. */
function mountDisk(size: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul disk '))
  asRoot('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder)
  onTestFinished(() => {
    asRoot('umount', '--lazy', folder)
    rmSync(folder, { recursive: true })
  })
  return folder
}

/** Makes a folder read-only for whoever opens it from now on; returns a function that ends that. */
function coverReadOnly(folder: string): () => void {
  asRoot('mount', '--bind', folder, folder)
  asRoot('mount', '-o', 'remount,ro,bind', folder)
  return () => asRoot('umount', '--lazy', folder)
}

function asRoot(program: 'mount' | 'umount', ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: 'ignore' })
}
