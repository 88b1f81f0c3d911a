import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { landedTasks } from './backlogs.ts'
import { SETTINGS, WRITES } from './journey.ts'
import { leftovers } from './leftovers.ts'
import { newJourney, taskFile } from './new-journey.ts'

const HOOKS = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'pre-merge-commit',
  'post-merge',
  'pre-push',
  'post-checkout',
  'reference-transaction',
  'post-index-change',
  'pre-auto-gc',
  'post-rewrite',
]

// Valid ids that are not valid as part of a ref or a path.
const ODD_IDS = ['a..b', 'x.lock', '-x', '.hidden', 'end.', '...', 'HEAD', '-a1', 'n-a1']

test('work lands with odd paths, failing hooks, broken signing, and ids that are not valid refs', async () => {
  const journey = newJourney(
    { 'longhaul.yaml': SETTINGS, 'script.yaml': WRITES.replaceAll('$LONGHAUL_TASK.txt', './work$LONGHAUL_TASK.txt') },
    { name: "můj 'projekt' – 漢字 $HOME" },
  )
  journey.write('tasks.json', taskFile(...ODD_IDS))
  journey.commit('tasks')
  const hooksRun = join(journey.folder, 'hooks-run')
  for (const hook of HOOKS) {
    journey.write(`.git/hooks/${hook}`, `#!/bin/sh\necho ${hook} >> '${hooksRun}'\nexit 1\n`)
    execFileSync('chmod', ['+x', join(journey.repository, '.git/hooks', hook)])
  }
  for (const [key, value] of Object.entries({
    'commit.gpgSign': 'true',
    'tag.gpgSign': 'true',
    'gpg.program': 'false',
  })) {
    journey.git('config', key, value)
  }
  expect(await journey.cliInProcess('import', 'tasks.json')).toMatchObject({ code: 0, stderr: '' })
  const ran = await journey.cli('run')
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(landedTasks(journey).toSorted()).toEqual(ODD_IDS.toSorted())
  for (const id of ODD_IDS) expect(journey.read(`work${id}.txt`)).toBe(`${id}\n`)
  expect(journey.git('log', '--format=%G?').replaceAll('\n', '')).toMatch(/^N+$/)
  expect(existsSync(hooksRun) ? readFileSync(hooksRun, 'utf8') : '').toBe('')
  expect(journey.git('status', '--porcelain')).toBe('')
  expect(leftovers(journey)).toEqual([])
  expect((await journey.cliInProcess('log', '--task', '...')).stdout).toMatch(/\.\.\. +landed as/)
  expect((await journey.cli('revert', '--json', '--', '-x')).code).toBe(0)
  expect(journey.read('work-x.txt')).toBe(null)
})

test('work lands in a linked worktree of a repository with submodules', async () => {
  const inLib = '{ run: "echo changed > lib/lib.txt" }'
  const journey = newJourney({
    'longhaul.yaml': SETTINGS.replace('test ! -e red', 'test -s lib/lib.txt'),
    'script.yaml': [
      '- { task: reads, steps: [ { run: "cat lib/lib.txt > copy.txt" }, { report: done } ] }',
      `- { task: changes, round: 1, steps: [ ${inLib}, { run: "echo 1 > changes.txt" }, { report: done } ] }`,
      '- { task: changes, steps: [ { run: "git -C lib checkout -q -- lib.txt" }, { report: done } ] }\n',
    ].join('\n'),
  })
  const lib = join(journey.folder, 'lib')
  mkdirSync(lib)
  const inside = (...args: readonly string[]) => journey.git('-C', lib, ...args)
  inside('init', '--quiet', '--initial-branch=main')
  execFileSync('sh', ['-c', 'echo library > lib.txt'], { cwd: lib })
  inside('add', '--all')
  inside('-c', 'user.name=L', '-c', 'user.email=l@example.org', 'commit', '--quiet', '-m', 'library')
  journey.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib, 'lib')
  journey.commit('library')
  const linked = join(journey.folder, 'linked')
  journey.git('worktree', 'add', '--quiet', '-b', 'feature', linked)
  const cli = (...args: readonly string[]) => journey.start(args, linked).ended

  for (const task of ['reads', 'changes']) {
    expect(await cli('add', task, '--title', task)).toMatchObject({ code: 0, stderr: '' })
  }
  const ran = await cli('run')
  expect(ran).toMatchObject({ code: 0 })
  expect(ran.stdout).toContain('feature has everything that landed.')
  expect(readFileSync(join(linked, 'copy.txt'), 'utf8')).toBe('library\n')
  expect(landedTasks(journey, 'feature').toSorted()).toEqual(['changes', 'reads'])
  expect(journey.git('rev-parse', 'feature:lib')).toBe(journey.git('rev-parse', 'main:lib'))
  expect(journey.git('-C', linked, 'status', '--porcelain')).toBe('')
  expect(journey.git('status', '--porcelain')).toBe('')
  expect((await journey.status()).run).toMatchObject({ state: 'ended' })
  expect(leftovers(journey, 'feature').filter((line) => !line.includes('/salvage/'))).toEqual([])
})

describe('a repository that cannot be used is refused, and nothing changes', () => {
  const OLD_GIT =
    'case " $* " in *" version "*|*" --version "*) echo git version 2.30.2;; *) exec /usr/bin/git "$@";; esac'

  test.each([
    [
      'without commits',
      ['init', '--quiet', '--initial-branch=main'],
      {},
      'has no commit yet',
      'git commit --allow-empty',
    ],
    ['bare', ['init', '--quiet', '--bare'], {}, 'is in a bare repository', 'Clone it'],
    [
      'with a git that is too old',
      ['init', '--quiet'],
      { git: OLD_GIT },
      'git version 2.30.2 is too old',
      'Install a newer git',
    ],
  ] as const)('%s', async (_, init, programs, message, hint) => {
    const journey = newJourney(undefined, { programs })
    const place = join(journey.folder, 'place')
    mkdirSync(place)
    journey.git('-C', place, ...init)
    journey.git('-C', place, 'config', 'user.name', 'U')
    journey.git('-C', place, 'config', 'user.email', 'u@example.org')
    const before = fingerprint(place)
    const refused = await journey.start(['add', 'a', '--title', 'A'], place).ended
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) })
    expect(refused.stderr.split('\n')[1]).toContain(hint)
    expect(fingerprint(place)).toBe(before)
    expect(existsSync(join(journey.env.XDG_STATE_HOME ?? '', 'longhaul'))).toBe(false)
  })
})

function fingerprint(folder: string): string {
  const hash = createHash('sha256')
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    hash.update(`${path}\0`)
    if (entry.isFile()) hash.update(readFileSync(path))
  }
  return hash.digest('hex')
}
