import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Journey, NO_BWRAP, SETTINGS } from './journey.ts'
import { processesOf } from './leftovers.ts'
import { newJourney } from './new-journey.ts'

// Commands of an agent's first round; afterwards it works normally.
const MISCHIEF = {
  'stash-pop': 'git stash pop; git stash clear; git stash drop',
  checkout: 'git checkout -f main; git checkout -f -B main; git branch -f main HEAD~1; git checkout --detach',
  push: 'git push; git push --force origin HEAD:main; git push --all; git remote -v | grep . && git push --mirror',
  config:
    'git config core.hooksPath /tmp/evil; git config user.name Evil; git config commit.gpgSign true; git config --unset core.bare',
  refs: 'git update-ref refs/heads/main HEAD~1; git update-ref -d refs/heads/precious; git tag -f v1; git tag -d v1; git pack-refs --all',
  history:
    'git checkout -q --orphan other; git commit -qm empty --allow-empty; git gc --prune=now --quiet; git reflog expire --all --expire=now',
  hooks:
    'mkdir -p .git/hooks; echo exit 1 > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; git config core.hooksPath .git/hooks',
  'rm-around': 'rm -rf ../*',
  'rm-own': 'echo $LONGHAUL_TASK kept > kept.txt; rm -rf .git',
  locks: 'touch .git/index.lock .git/HEAD.lock; echo 1 > locks.txt; chmod -R a-w .',
  server:
    'node -e \\"require(\'http\').createServer().listen(0, () => setInterval(() => {}, 1000))\\" FOLDER & setsid nohup sh -c \'trap \\"\\" TERM HUP; while :; do sleep 1; done\' FOLDER > /dev/null 2>&1 & sleep 0.2',
} as const

test.each(['bwrap', 'guard'])(
  'nothing that belongs to the user changes, whatever an agent runs: under %s',
  async (by) => {
    const journey = newJourney(
      { 'longhaul.yaml': `target: main\n${SETTINGS}`, 'tracked.txt': 'tracked\n', '.gitignore': 'ignored.txt\n' },
      by === 'guard' ? { programs: NO_BWRAP } : {},
    )
    journey.write('script.yaml', script(journey, by))
    const tasks = [...Object.keys(MISCHIEF), 'outside'].map((id) => ({ id, title: id, weight: 'trivial' }))
    journey.write('tasks.json', JSON.stringify({ tasks }))
    journey.commit('script and tasks')
    createUserState(journey)
    expect((await journey.cliInProcess('import', 'tasks.json')).code).toBe(0)

    const before = fingerprints(journey)
    const ran = await journey.cli('run')
    expect(fingerprints(journey)).toEqual(before)
    expect(processesOf(journey)).toEqual([])
    const { tasks: states } = await journey.status()
    expect(
      states.filter(({ state }) => state !== 'done').map(({ id, state, reason }) => ({ id, state, reason })),
    ).toEqual([
      { id: 'outside', state: 'failed', reason: expect.stringContaining('that path is outside the workspace') },
    ])
    expect(ran.code).toBe(1)

    const landed = journey.git('ls-tree', '-r', '--name-only', 'main').split('\n')
    expect(landed).toEqual(expect.arrayContaining(Object.keys(MISCHIEF).map((task) => `${task}.txt`)))
    expect(landed).toEqual(expect.arrayContaining(['tracked.txt', '.gitignore']))
    // An agent that deletes its own .git folder starts again; its earlier files are salvaged.
    expect(journey.git('show', 'refs/longhaul/salvage/rm-own-a1:kept.txt')).toBe('rm-own kept')
    expect(journey.git('stash', 'show', '-p', 'stash@{0}')).toContain('+stashed')
  },
)

/** Creates a branch of the user with staged, changed, untracked and ignored files, a stash, hooks and tags. */
function createUserState(journey: Journey): void {
  const { git, write } = journey
  git('tag', 'v1')
  git('branch', 'precious')
  git('checkout', '--quiet', '-b', 'mine')
  write('tracked.txt', 'tracked\nstashed\n')
  git('stash', '--quiet')
  write('staged.txt', 'staged\n')
  git('add', 'staged.txt')
  write('tracked.txt', 'tracked\nnot staged\n')
  write('untracked.txt', 'untracked\n')
  write('ignored.txt', 'ignored\n')
  write('.git/hooks/post-commit', '#!/bin/sh\ntouch "$(git rev-parse --show-toplevel)/hook-was-run"\n')
}

function script(journey: Journey, by: string): string {
  const rules = Object.entries(MISCHIEF).map(([task, command]) => {
    // Without a pid namespace only its working folder links a process to its workspace.
    const run = command
      .replaceAll('FOLDER', `'${journey.folder}'`)
      .replace('trap', by === 'guard' ? 'trap' : 'cd /; trap')
    return `- { task: ${task}, round: 1, steps: [ { run: "${run}" }, { run: "echo 1 >> {task}.txt || true" }, { report: done } ] }`
  })
  const outside = '- { task: outside, steps: [ { write: { path: ../outside.txt, text: no } } ] }'
  const rest = '- { task: "*", steps: [ { run: "echo 2 >> {task}.txt; git status > /dev/null || git init -q" } ] }'
  return `${[...rules, outside, rest].join('\n')}\n`
}

/** Digests of the user's files, in the checkout and in .git, except ours and landed ones. */
function fingerprints({ repository, env }: Journey): Readonly<Record<string, string>> {
  const ours = /^\.git\/((refs|logs\/refs)\/(longhaul|heads\/longhaul|heads\/main)(\/|$)|longhaul(\/|$)|objects(\/|$))/
  const digests: Record<string, string> = {}
  for (const [name, folder] of Object.entries({ repository, home: env.HOME ?? '' })) {
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
      if (!ours.test(path)) digests[`${name}: ${path}`] = fingerprint(join(folder, path))
    }
  }
  return digests
}

function fingerprint(path: string): string {
  const { mode } = lstatSync(path)
  const type = lstatSync(path).isDirectory() ? 'folder' : lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null
  return `${mode.toString(8)} ${type ?? createHash('sha256').update(readFileSync(path)).digest('hex')}`
}
