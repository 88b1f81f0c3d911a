import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SHAPES } from '../../src/index.ts'
import { testLab } from '../agents/test-lab.ts'
import { type Journey, jsonLines, newJourney, WITHOUT_REVIEWS } from './new-journey.ts'

const LEARNED = 'The parser wants a newline at the end.'
const VERIFY = 'test -e tidy.txt'
const SCENARIO = `
rules:
  - task: first
    steps:
      - { call: task }
      - { call: backlog, input: { filter: ask } }
      - write: { path: first.txt, text: "one\\n" }
      - { run: "tr '\\\\0' '\\\\n' < /proc/$PPID/cmdline > argv.txt" }
      - { call: progress, input: { text: the file is there } }
      - { call: learn, input: { text: "${LEARNED}", files: [ "second*" ] } }
      - { call: propose, input: { id: tidy, title: Tidy up, brief: Remove what is old., verify: [ "${VERIFY}" ] } }
      - { call: report, input: { status: done } }
      - { say: all is well }
  - task: asks
    steps:
      - { call: ask, input: { question: Which colour shall it be? } }
      - { say: I wait. <phase_complete> }
  - task: tidy
    steps:
      - write: { path: tidy.txt, text: "tidy\\n" }
      - { call: limits }
      - { call: report, input: { status: done } }
      - { say: done }
  - task: second
    steps:
      - write: { path: second.txt, text: "two\\n" }
      - { call: report, input: { status: done } }
      - { say: done }
`

interface Fact {
  readonly kind: string
  readonly ledger: string
  readonly text?: string
}

test('a real agent reports, asks, proposes and records through tools, and the next task gets what it learned', async () => {
  const lab = await testLab(SCENARIO)
  const env = `{ ANTHROPIC_BASE_URL: "${lab.url}", CLAUDE_CODE_OAUTH_TOKEN: test-token }`
  const journey = newJourney(
    {
      'longhaul.yaml': `agent: { driver: claude, env: ${env} }\ngates: []\n${WITHOUT_REVIEWS}`,
    },
    { sandbox: 'standard' },
  )
  const task = (id: string, after: string[], files: string[] = []) => {
    return { id, title: `Task ${id}`, brief: 'Do it.', weight: 'trivial', after, files }
  }
  const tasks = [task('first', []), task('asks', ['first']), task('second', ['first'], ['second.txt'])]
  journey.write('tasks.json', JSON.stringify({ tasks }))
  expect((await journey.cliInProcess('import', 'tasks.json')).code).toBe(0)
  // Exit code 3: a person has a question to answer.
  expect(await journey.cli('run')).toMatchObject({ code: 3 })

  const status = await journey.status()
  expect(Object.fromEntries(status.tasks.map(({ id, state }) => [id, state]))).toEqual({
    first: 'done',
    asks: 'needs-person',
    second: 'done',
  })
  expect(status.tasks.find(({ id }) => id === 'asks')?.reason).toContain('Which colour shall it be?')
  const facts = jsonLines<Fact>(await journey.cliInProcess('log', '--json'))
  const kinds = facts.filter(({ ledger }) => ledger === 'attempt/first-a1').map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['progress-reported', 'work-reported', 'task-proposed']))
  expect(facts.filter(({ kind, ledger }) => kind === 'task-proposed' && ledger.startsWith('run/'))).toHaveLength(1)
  expect((await journey.cliInProcess('show', 'second', '--prompt')).stdout).toContain(LEARNED)
  expect((await journey.cliInProcess('show', '--knowledge')).stdout).toContain(LEARNED)
  expect(readFileSync(join(journey.repository, '.git/longhaul/knowledge.md'), 'utf8')).toContain(LEARNED)
  await proposalIsDecidedByPerson(journey, facts)
  expect(journey.read('argv.txt')).toContain('Authorization')
  noTokenAnywhere(journey)
})

/** Asserts that nothing of a proposal runs before a person approves it, and that it is then a normal task. */
async function proposalIsDecidedByPerson(journey: Journey, facts: readonly Fact[]): Promise<void> {
  expect(JSON.stringify(facts.filter(({ kind }) => kind !== 'task-proposed'))).not.toContain(VERIFY)
  expect((await journey.cliInProcess('status')).stdout).toContain(
    '1 proposed task is waiting for you: longhaul show tidy',
  )
  expect((await journey.cliInProcess('show', 'tidy')).stdout).toContain(`- ${VERIFY}`)
  expect(SHAPES.approve.parse(jsonLines(await journey.cliInProcess('approve', 'tidy', '--json'))[0])).toMatchObject({
    task: 'tidy',
    answer: 'approved',
    byEngine: false,
  })
  expect(await journey.cli('run')).toMatchObject({ code: 3 })
  expect((await journey.status()).tasks.find(({ id }) => id === 'tidy')).toMatchObject({ state: 'done' })
  expect((await journey.cliInProcess('show', 'tidy', '--receipts')).stdout).toContain(VERIFY)
}

/** Asserts that no file has a token: 43 characters after "Bearer " or the variable's name. */
function noTokenAnywhere(journey: Journey): void {
  const filesWithToken = filesIn(journey.folder).filter((file) => {
    return /(Bearer |TOOLS_TOKEN=)[\w-]{43}/.test(readFileSync(file, 'latin1'))
  })
  expect(filesWithToken).toEqual([])
}

function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder).map((name) => join(folder, name))
  return entries.flatMap((entry) => (statSync(entry).isDirectory() ? filesIn(entry) : [entry]))
}
