import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HANG_MS } from '../patience.ts'
import { type Journey, openJourney, SETTINGS, type StatusJson } from './journey.ts'
import { processesOf } from './leftovers.ts'

// A payload that runs leaves its name in a file beside the repository, where no sandbox lets it write. OUT is the folder
// that holds everything of the journey, USER the user's repository.
const PAYLOAD = `printf 'echo "$1" >> "OUT/ran"\\ncat\\n' > .git/payload`
const NO_COMMIT = '1'.repeat(40)

// Each agent plays its tricks in its first round, and works normally afterwards; the one of git-file never does.
const TRICKS = {
  'nested-filter': `${PAYLOAD}
    git init -q nested; cd nested; echo '*.txt filter=x' > .gitattributes; echo one > a.txt; git add .
    git -c user.name=x -c user.email=x@x commit -qm nested
    git config filter.x.clean "sh '$PWD/../.git/payload' nested-filter"; echo two > a.txt`,
  promisor: `${PAYLOAD}
    git config core.repositoryFormatVersion 1; git config extensions.partialClone evil
    git config remote.evil.promisor true; git config remote.evil.url "$PWD"
    git config remote.evil.uploadpack "sh '$PWD/.git/payload' promisor"; echo ${NO_COMMIT} > .git/HEAD`,
  'index-link': 'ln -sf "OUT/precious.txt" .git/index.longhaul; rm .git/index; ln -s "OUT/precious.txt" .git/index',
  'refs-link': 'rm -rf .git/refs; ln -s "USER/.git/refs" .git/refs; echo "ref: refs/heads/precious" > .git/HEAD',
  'heads-link':
    'mkdir -p .git/refs; rm -rf .git/refs/heads; ln -s "USER/.git/refs/heads" .git/refs/heads; echo "ref: refs/heads/precious" > .git/HEAD',
  'git-link': 'touch red; rm -rf .git; ln -s "USER/.git" .git',
  'git-file': 'mkdir -p sub; echo text > sub/text.txt; echo "gitdir: OUT/other/.git" > sub/.git',
  'filter-script':
    'cp tool.sh old.sh; printf \'echo filter-script >> "OUT/ran"\\ncat\\n\' > tool.sh; echo one > a.dat; touch red',
  'pipe-config': 'rm .git/config; mkfifo .git/config',
  'pipe-head': 'rm .git/HEAD; mkfifo .git/HEAD',
  'pipe-index': 'rm .git/index; mkfifo .git/index',
  'pipes-in-tree':
    'mkdir deep; mkfifo .gitmodules deep/.gitattributes deep/.gitignore; rm .gitattributes; mkfifo .gitattributes',
} as const

const REPAIR = 'rm -rf red nested; if [ -e old.sh ]; then cp old.sh tool.sh; rm old.sh; fi'

let journey: Journey
let otherCommit: string
let status: StatusJson
let ran: string

beforeAll(async () => {
  journey = openJourney(
    {
      'longhaul.yaml': `target: main\n${SETTINGS.replace('limits: {', 'limits: { attempts: 1,')}`,
      '.gitattributes': '*.dat filter=tool\n',
      'tool.sh': 'cat\n',
    },
    { sandbox: 'standard' },
  )
  const { folder, repository, git, write } = journey
  const filled = (text: string) => text.replaceAll('OUT', folder).replaceAll('USER', repository)
  const tricks = Object.entries(TRICKS).map(([task, trick]) => ({
    task,
    ...(task === 'git-file' ? {} : { round: 1 }),
    steps: [{ run: filled(trick) }, { run: 'echo 1 >> $LONGHAUL_TASK.txt' }, { report: 'done' }],
  }))
  const rest = { task: '*', steps: [{ run: `${REPAIR}; echo 2 >> $LONGHAUL_TASK.txt` }, { report: 'done' }] }
  // Git asks a nested repository for its state once its commit is in the index.
  const again = {
    task: 'nested-filter',
    round: 2,
    steps: [{ run: 'echo 1 >> $LONGHAUL_TASK.txt' }, { report: 'done' }],
  }
  write('script.yaml', JSON.stringify([...tricks, again, rest]))
  write(
    'tasks.json',
    JSON.stringify({ tasks: Object.keys(TRICKS).map((id) => ({ id, title: id, weight: 'trivial' })) }),
  )
  journey.commit('script and tasks')
  for (const way of ['clean', 'smudge']) git('config', `filter.tool.${way}`, 'sh tool.sh')
  git('branch', 'precious')
  write('.git/objects/info/alternates', '')
  writeFileSync(join(folder, 'precious.txt'), 'precious\n')
  git('init', '--quiet', join(folder, 'other'))
  git(
    '-C',
    join(folder, 'other'),
    '-c',
    'user.name=x',
    '-c',
    'user.email=x@x',
    'commit',
    '-qm',
    'secret',
    '--allow-empty',
  )
  otherCommit = git('-C', join(folder, 'other'), 'rev-parse', 'HEAD')
  await journey.cliInProcess('import', 'tasks.json')
  await journey.cli('run')
  status = await journey.status()
  ran = readOrEmpty(join(folder, 'ran'))
}, HANG_MS)

afterAll(() => journey.end())

test('every task lands in its only attempt, although its agent broke the workspace', () => {
  const states = status.tasks.filter(({ id }) => id !== 'git-file')
  expect(states.map(({ id, state, reason }) => ({ id, state, reason }))).toEqual(
    Object.keys(TRICKS).flatMap((id) => (id === 'git-file' ? [] : [{ id, state: 'done', reason: null }])),
  )
  expect(processesOf(journey)).toEqual([])
})

test('no transport of the agent runs', () => {
  expect(ran).not.toContain('promisor')
})

// Git runs these, but only inside.
test.each(['nested-filter', 'filter-script'])('the payload of %s does not run on the host', (task) => {
  expect(ran).not.toContain(task)
})

test('nothing of the user is written through a link', () => {
  expect(readOrEmpty(join(journey.folder, 'precious.txt'))).toBe('precious\n')
  expect(journey.git('log', '-1', '--format=%s', 'precious')).toBe('script and tasks')
  const values = journey.git('log', '--walk-reflogs', '--format=%H', 'main').split('\n')
  expect(values.filter((commit) => journey.git('ls-tree', commit, 'red') !== '')).toEqual([])
  expect(journey.git('status', '--porcelain')).toBe('')
})

test('no other repository of the machine is read', () => {
  // The files beside it are work: in the commit where that repository is hidden, else salvaged.
  expect(journey.git('rev-list', '--all', '--objects')).toMatch(/ (sub\/)?text\.txt$/m)
  expect(() => journey.git('cat-file', '-e', otherCommit)).toThrow('cat-file')
})

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // nothing has written it
  }
}
