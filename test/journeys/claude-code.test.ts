import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testLab } from '../agents/test-lab.ts'
import { leftovers } from './leftovers.ts'
import { type Journey, jsonLines, newJourney, WITHOUT_REVIEWS } from './new-journey.ts'
import { onEvent } from './run-with-kills.ts'

const BRIEF = 'Write five lines, one\nafter another, "with" $care.'
const NOTE = [
  '<hand-off>',
  '## Goal',
  'five lines',
  '## Completed',
  '- work.txt: line 1',
  '## Remaining',
  '1. lines 2 to 5',
  '## Do not redo',
  '- line 1',
  '## Decisions',
  '- none',
  '</hand-off>',
].join('\n')
const FULL = '{ input: 50, cacheRead: 210000, output: 10 }'
const ASKED = 'match: your context window is nearly full'

const SCENARIO = `
rules:
  - { task: long, session: 1, ${ASKED}, steps: [ { say: ${JSON.stringify(`Here it is:\n\`\`\`\n${NOTE}\n\`\`\``)} } ] }
  - { task: long, session: 2, ${ASKED}, steps: [ { say: two lines are there } ] }
  - { task: long, session: 3, ${ASKED}, steps: [ { say: " " } ] }
  - { task: long, session: 4, ${ASKED}, steps: [ { say: never, fault: { tooLong: true } } ] }
  - { task: long, session: 5, steps: [ { run: echo 5 >> work.txt }, { report: done } ] }
  - task: long
    steps:
      - { run: "echo {session} >> work.txt", usage: ${FULL} }
      - { run: 'until test -e "$HOME/full-{session}"; do sleep 0.05; done', usage: ${FULL} }
      - { run: echo too late >> work.txt }
  - task: flaky
    steps:
      - { run: echo 1 >> flaky.txt, fault: { cut: true, times: 1 } }
      - { run: echo 2 >> flaky.txt, fault: { status: 529, times: 2 } }
      - report: done
  - task: limited
    round: 1
    steps: [ { run: echo once >> limited.txt }, { say: never, fault: { limit: "+3" } } ]
  - { task: limited, session: 1, steps: [ { run: "echo round {round} >> limited.txt" }, { report: done } ] }
  - { task: locked, steps: [ { run: echo never > locked.txt, fault: { status: 401, retryAfter: 90 } } ] }
  - task: large
    steps:
      - { run: "head -c 10000000 /dev/zero | tr '\\\\0' x" }
      - { run: echo large > large.txt }
      - report: done
  - task: outside
    steps:
      - write: { path: ../../../outside.txt, text: escaped }
      - write: { path: inside.txt, text: "kept\\n" }
      - report: done
`

const TASKS = ['long', 'flaky', 'limited', 'locked', 'large', 'outside']

interface Fact {
  readonly kind: string
  readonly ledger: string
  readonly quality?: string
  readonly tool?: string
  readonly end?: { readonly kind: string }
}

test('the real Claude Code works through full windows, faults, a limit, a lost sign-in, huge output and a denial', async () => {
  const lab = await testLab(SCENARIO)
  const env = `{ ANTHROPIC_BASE_URL: "${lab.url}", CLAUDE_CODE_OAUTH_TOKEN: test-token }`
  const journey = newJourney(
    {
      'longhaul.yaml': `agent: { driver: claude, env: ${env} }\ngates: []\nlimits: { error_delay: 0, limit_delay: 0 }\n${WITHOUT_REVIEWS}`,
    },
    { sandbox: 'standard' },
  )
  const tasks = TASKS.map((id) => ({ id, title: `Task ${id}`, brief: BRIEF, weight: 'trivial' }))
  journey.write('tasks.json', JSON.stringify({ tasks }))
  expect((await journey.cliInProcess('import', 'tasks.json')).code).toBe(0)
  const engine = journey.start(['run', '--json'])
  let handOffs = 0
  onEvent(engine, ({ kind }) => {
    if (kind === 'hand-off-begun') writeFileSync(join(homeOf(journey, 'long-a1'), `full-${++handOffs}`), '')
  })
  // Exit code 3: a person has to sign in again for one task.
  expect(await engine.ended).toMatchObject({ code: 3 })

  const status = await journey.status()
  expect(Object.fromEntries(status.tasks.map(({ id, state, attempts }) => [id, `${state} ${attempts}`]))).toEqual({
    long: 'done 1',
    flaky: 'done 1',
    limited: 'done 1',
    large: 'done 1',
    outside: 'done 1',
    locked: 'needs-person 1',
  })
  expect(TASKS.map((task) => journey.read(`${task}.txt`))).toEqual([
    null,
    '1\n2\n',
    'once\nround 2\n',
    null,
    'large\n',
    null,
  ])

  await expectFourHandOffs(journey)
  await expectDenialRecorded(journey)
  // Only one request: the agent's own ten retries are cut short.
  expect(lab.requests.filter(({ task }) => task === 'locked')).toHaveLength(1)
  expect(leftovers(journey).filter((left) => !left.endsWith('locked-a1'))).toEqual([])
  // Nothing that agents keep for themselves is ever in the user's home.
  expect(readdirSync(journey.env.HOME ?? '').filter((name) => name.startsWith('.claude'))).toEqual([])
})

async function expectFourHandOffs(journey: Journey): Promise<void> {
  const facts = await factsOf(journey, 'long')
  const notes = facts.filter(({ kind }) => kind === 'session-handed-off')
  expect(notes.map(({ quality }) => quality)).toEqual(['whole', 'partial', 'none', 'none'])
  expect(journey.read('work.txt')).toBe('1\n2\n3\n4\n5\n')
  expect(promptOf(journey, 2)).toContain('## Completed\n- work.txt: line 1')
  expect(promptOf(journey, 3)).toContain('two lines are there')
  for (const round of [2, 3, 4, 5]) expect(promptOf(journey, round)).toContain(BRIEF)
}

async function expectDenialRecorded(journey: Journey): Promise<void> {
  const denied = (await factsOf(journey, 'outside')).filter(({ kind }) => kind === 'tool-denied')
  expect(denied.map(({ tool }) => tool)).toEqual(['Write'])
  expect(journey.read('inside.txt')).toBe('kept\n')
  expect(existsSync(join(journey.folder, 'outside.txt'))).toBe(false)
}

async function factsOf(journey: Journey, task: string): Promise<readonly Fact[]> {
  return jsonLines<Fact>(await journey.cliInProcess('log', '--json', '--task', task))
}

/** Returns the folder that an attempt's agent has as its home. */
function homeOf({ env }: Journey, attempt: string): string {
  const state = join(env.XDG_STATE_HOME ?? '', 'longhaul')
  return join(state, readdirSync(state)[0] ?? '', '.own', attempt, 'home')
}

function promptOf(journey: Journey, round: number): string {
  const transcripts = join(journey.repository, '.git/longhaul/transcripts/long-a1')
  return readFileSync(join(transcripts, `round-${round}.prompt.md`), 'utf8')
}
