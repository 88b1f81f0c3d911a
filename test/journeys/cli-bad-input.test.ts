import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import { refusalSchema } from '../../src/index.ts'
import { mainFile } from '../conformance/built.ts'
import { type Journey, jsonLines, newJourney, SETTINGS, taskFile, WRITES } from './new-journey.ts'

describe('a task file that cannot be used', () => {
  test.each([
    ['empty', '', 'tasks.yaml: the file is empty.'],
    ['cyclic', taskFile('a:c', 'b:a', 'c:b'), /these wait for each other, so none can start: (\w) → \w → \w → \1\./],
    ['with an unknown dependency', taskFile('a', 'b:aa'), 'task "b" comes after "aa", but no task has that id.'],
    ['with an id twice', taskFile('a', 'a'), 'two tasks have the id "a".'],
    ['with an invalid id', taskFile('a b'), '"a b" cannot be the id of a task'],
    ['with other content', '<html><body>404</body></html>', 'tasks.yaml:1: '],
    ['that does not exist', null, 'tasks.yaml cannot be read: it does not exist.'],
  ])('%s', async (_, text, message) => {
    const journey = newJourney()
    if (text !== null) journey.write('tasks.yaml', text)
    const untouched = fingerprint(journey)
    const refused = await journey.cliInProcess('import', 'tasks.yaml', '--json')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/^longhaul: .+\n {2}\S.+\n/)
    const { problem } = refusalSchema.parse(jsonLines(refused)[0])
    expect(problem.message).toMatch(message)
    expect(fingerprint(journey)).toBe(untouched)
  })
})

test('closing the output of help early is no failure', async () => {
  const { repository: cwd, env } = newJourney()
  const child = spawn(process.execPath, [mainFile, 'run', '--help'], { cwd, env })
  child.stdout.destroy()
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [code] = (await once(child, 'close')) as [number]
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

describe('wrong use', () => {
  test.each([
    [['stauts'], "Unknown command 'stauts'.", 'Did you mean status?'],
    [['status', '--jsn'], "Unknown option '--jsn'.", 'Did you mean --json?'],
    [
      ['run', '--parallel', '0'],
      '--parallel: limits.parallel must be a whole number from 1 to 32; got 0.',
      'For example: parallel: 4',
    ],
    [['add'], 'A task needs an id and a title.', 'For example: longhaul add fix-login --title'],
    [['add', 'x'], 'A task needs a title.', 'For example: longhaul add fix-login --title'],
    [['add', 'x', '--titel', 'X'], "Unknown option '--titel'.", 'Did you mean --title?'],
    [['add', 'x', '--title', ' '], 'The title of x must be text that is not empty.', '--title'],
    [['add', 'x', '--title', 'a\nb'], 'The title of x must be text on one line.', '--brief'],
    [['config', 'check'], "Unknown command 'check'.", 'Did you mean validate?'],
    [['add', 'x', '--title', 'X', '--weight', 'tiny'], "argument 'tiny' is invalid.", 'add --help'],
    [
      ['add', 'x', '--title', 'X', '--after', 'nope'],
      'task "x" comes after "nope", but no task has that id.',
      'Add that task',
    ],
    [['add', '../x', '--title', 'X'], '"../x" cannot be the id of a task', 'Write for example "x"'],
    [['status', 'extra'], "Too many arguments for 'status'. Expected 0 arguments but got 1.", 'status --help'],
    [['import'], "Missing required argument 'file'.", 'import --help'],
    [['run'], 'There is no run in this repository yet.', 'longhaul import FILE'],
    [['retry', 'x'], 'There is no run in this repository yet.', 'longhaul import FILE'],
    [['revert', 'x'], 'There is no run in this repository yet.', 'longhaul import FILE'],
    [['stop', 'x'], 'There is no run in this repository yet.', 'longhaul import FILE'],
  ])('longhaul %j', async (args, message, hint) => {
    const journey = newJourney()
    const untouched = fingerprint(journey)
    const refused = await journey.cliInProcess(...args)
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(message)
    expect(refused.stderr.split('\n')[1]).toContain(hint)
    expect(fingerprint(journey)).toBe(untouched)
  })
})

describe('settings that cannot be used', () => {
  test('are reported with every wrong key, its line and the nearest valid key', async () => {
    const journey = newJourney({ 'longhaul.yaml': 'agnet: { driver: scripted }\nlimits:\n  paralel: 3\n' })
    const refused = await journey.cli('run', '--json')
    expect(refused.code).toBe(2)
    const { problems } = refusalSchema.parse(jsonLines(refused)[0])
    expect(problems.map(({ message, hint }) => `${message} ${hint}`)).toEqual([
      'longhaul.yaml:1: unknown key "agnet". Write "agent" instead.',
      expect.stringMatching(/^longhaul.yaml:3: unknown key "paralel" .*Write "parallel" instead\.$/),
    ])
  })

  test.each([
    [SETTINGS.replace(/gates.*\n/, ''), 'No checks are configured', '"gates: []"'],
    [
      SETTINGS.replace('driver: scripted, script: script.yaml', 'driver: clod'),
      'The driver clod is not part of this version.',
      'claude, scripted',
    ],
    [SETTINGS.replace('script.yaml', 'gone.yaml'), 'The script gone.yaml does not exist.', 'agent.script'],
    [`target: nowhere\n${SETTINGS}`, 'lands on main, but longhaul.yaml now says nowhere', 'target: main'],
  ])('refuse a run: %j', async (settings, message, hint) => {
    const journey = newJourney()
    await journey.cliInProcess('add', 'a', '--title', 'A')
    journey.write('longhaul.yaml', settings)
    const refused = await journey.cliInProcess('run')
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
    expect(refused.stderr).toContain(hint)
    expect((await journey.status()).tasks).toMatchObject([{ state: 'ready', attempts: 0 }])
  })
})

test.each([
  [['--dossier', '--prompt'], "'--dossier' cannot be used with option '--prompt'"],
  [['--dossier', '--receipts'], "'--dossier' cannot be used with option '--receipts'"],
  [['--prompt', '--notes'], "'--prompt' cannot be used with option '--notes'"],
  [['--round', '1', '--dossier'], "'--dossier' cannot be used with option '--prompt'"],
])('show refuses two views: %j', async (options, message) => {
  const refused = await newJourney().cliInProcess('show', 'a', ...options)
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
})

describe('a repository that cannot be used', () => {
  test('no repository, a bare one, one without commits, in detached HEAD', async () => {
    const journey = newJourney()
    const elsewhere = join(journey.folder, 'elsewhere')
    mkdirSync(elsewhere)
    const run = async (...args: string[]) => journey.start(args, elsewhere).ended
    const git = (...args: string[]) => execFileSync('git', args, { cwd: elsewhere, env: journey.env, stdio: 'ignore' })
    const add = ['add', 'a', '--title', 'A'] as const
    expect(await run('status')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not in a git repository.'),
    })
    git('init', '--bare', '--quiet')
    expect(await run(...add)).toMatchObject({ code: 2, stderr: expect.stringContaining('bare repository') })
    for (const name of readdirSync(elsewhere)) rmSync(join(elsewhere, name), { recursive: true })
    git('init', '--quiet', '--initial-branch=main')
    for (const args of [add, ['run']]) {
      expect(await run(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining('has no commit yet') })
    }
    expect((await run('status')).stdout).toContain('There is no commit yet, either. Make a first commit: git add .')
    git('-c', 'user.name=U', '-c', 'user.email=u@example.org', 'commit', '--allow-empty', '-m', 'first')
    git('checkout', '--detach')
    expect(await run(...add)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No branch is checked out (detached HEAD)'),
    })
    expect(readdirSync(join(elsewhere, '.git'))).not.toContain('longhaul')
  })

  test('without a git identity only verbs that commit are refused', async () => {
    const journey = newJourney()
    await journey.cliInProcess('add', 'a', '--title', 'A')
    await journey.cli('run')
    journey.git('config', '--unset', 'user.email')
    const lines = ['verify a', 'gc', 'revert a', 'add b --title B', 'steer b fast', 'pause', 'resume', 'run', 'skip b']
    const codes = new Map<string, number | null>()
    for (const line of lines) codes.set(line, (await journey.cliInProcess(...line.split(' '))).code)
    expect([...codes].filter(([, code]) => code !== 0)).toEqual([
      ['revert a', 2],
      ['run', 2],
    ])
    expect((await journey.cliInProcess('run')).stderr).toContain('Git does not know who you are')
    expect((await journey.status()).tasks).toMatchObject([{ id: 'b', state: 'skipped' }])
  })
})

describe('state that cannot be used', () => {
  test('a file in the place of its folder', async () => {
    const journey = newJourney()
    journey.write('.git/longhaul', 'in the way')
    const untouched = fingerprint(journey)
    for (const args of [
      ['add', 'a', '--title', 'A'],
      ['log', '--follow'],
    ]) {
      const refused = await journey.cliInProcess(...args)
      expect(refused).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('.git/longhaul is a file, but the state needs a folder there'),
      })
    }
    expect(fingerprint(journey)).toBe(untouched)
  })

  test.each([
    [
      'damaged',
      (file: string) => writeFileSync(file, 'no database at all, but long enough to be looked at'),
      'is damaged',
    ],
    ['newer', (file: string) => raiseVersion(file), 'which a newer Longhaul wrote'],
  ])('a file that is %s stays as it is', async (_, spoil, message) => {
    const journey = newJourney()
    await journey.cliInProcess('add', 'a', '--title', 'A')
    const file = join(journey.repository, '.git/longhaul/state.db')
    spoil(file)
    const before = readFileSync(file)
    for (const args of [['status'], ['run'], ['add', 'b', '--title', 'B'], ['log'], ['doctor']]) {
      const refused = await journey.cliInProcess(...args)
      // For doctor such a file is a finding, not a refusal.
      expect(refused.code).toBe(args[0] === 'doctor' ? 1 : 2)
      expect(refused.stdout + refused.stderr).toContain(message)
      expect(refused.stdout + refused.stderr).toContain('state.db.backup-1')
    }
    expect(readFileSync(file).equals(before)).toBe(true)
  })
})

function raiseVersion(file: string): void {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

/** Digest of everything in the repository, .git included. */
function fingerprint({ repository }: Journey): string {
  const hash = createHash('sha256')
  for (const entry of readdirSync(repository, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    hash.update(`${path}\0`)
    if (entry.isFile()) hash.update(readFileSync(path))
  }
  return hash.digest('hex')
}

test('the starting point of these tests is valid, and a process exits with the code of its refusal', async () => {
  const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': WRITES })
  expect(await journey.cli('add', 'a', '--title', 'A')).toMatchObject({ code: 0, stderr: '' })
  expect(await journey.cli('stauts')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean status?'),
  })
})
