import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Finding, findingText } from '../../src/core/model/verdict.ts'
import type { Dossier } from '../../src/core/views/dossier/dossier.ts'
import type { Lab } from '../../src/lab/lab.ts'
import { testLab } from '../agents/test-lab.ts'
import { type Journey, jsonLines, newJourney } from './kit.ts'
import { leftovers } from './leftovers.ts'

const PLAN = 'First the frame, then the wheels.'
const SPEC = 'A bicycle has two wheels and is blue.'
const HIGH = { severity: 'high', file: 'by.txt', line: 1, message: 'the second line is missing' }
const FAILED = { issues: [HIGH], decision: 'fail', reason: 'a line is missing' }
const IN_FORM = { status: 'done', issues: [HIGH] }
const DECIDED_IN_FORM = { ...IN_FORM, decision: { kind: 'fail', reason: 'a line is missing' } }
const DONE = { report: 'done' }
const inWords = (report: object) => ({ say: `I have looked.\n\`\`\`json\n${JSON.stringify(report)}\n\`\`\`` })

const RULES = [
  { phase: 'judge', steps: [{ say: '{"accomplished": ["one small thing"]}' }] },
  { phase: 'plan', steps: [{ say: PLAN }, DONE] },
  { phase: 'spec', steps: [{ say: SPEC }, DONE] },
  { task: 'idle', session: 1, steps: [DONE] },
  { task: 'blocked', round: 1, steps: [{ report: 'blocked', reason: 'Which port?' }] },
  { task: 'by-form', phase: 'review', round: 1, steps: [{ answer: IN_FORM }] },
  { task: 'by-form', phase: 'review', round: 2, steps: [{ answer: { status: 'done' } }, { answer: DECIDED_IN_FORM }] },
  { task: 'by-words', phase: 'review', round: 1, steps: [inWords({ issues: [HIGH] }), DONE] },
  { task: 'by-words', phase: 'review', round: 2, steps: [inWords(FAILED), DONE] },
  {
    task: 'stalemate',
    phase: 'review',
    round: 1,
    steps: [{ call: 'Read', input: { file_path: '.longhaul/changes.diff' } }, inWords(FAILED), DONE],
  },
  { task: 'stalemate', phase: 'review', steps: [inWords(FAILED), DONE] },
  { task: 'nonsense', phase: 'review', round: 1, steps: [{ say: 'Looks good to me! Pass.' }, DONE] },
  { task: 'nonsense', phase: 'review', round: 2, steps: Array(5).fill({ answer: { decision: 'splendid' } }) },
  { steps: [{ run: 'echo {session}.{round} >> {task}.txt' }, DONE] },
]

const WAYS = {
  trivial: ['implement'],
  small: ['implement', 'verify', 'review'],
  medium: ['spec', 'implement', 'verify', 'review'],
  large: ['spec', 'implement', 'verify', 'review', 'qa', 'document'],
  greenfield: ['plan', 'spec', 'implement', 'verify', 'review', 'qa', 'document'],
}
const WEIGHTS = Object.keys(WAYS)
const OTHERS = {
  ...{ idle: 'trivial', blocked: 'trivial' },
  ...{ 'by-form': 'small', 'by-words': 'small', stalemate: 'small', nonsense: 'small' },
}
const TASKS = [...WEIGHTS.map((weight) => [weight, weight] as const), ...Object.entries(OTHERS)]

interface Fact {
  readonly kind: string
  readonly ledger: string
  readonly phase?: string
  readonly session?: string
  readonly from?: string
  readonly findings?: readonly Finding[]
}

test('the real Claude Code goes the way of each weight; reviews, and people, send work back or let it pass', async () => {
  const lab = await testLab(JSON.stringify({ rules: RULES }))
  const env = `{ ANTHROPIC_BASE_URL: "${lab.url}", CLAUDE_CODE_OAUTH_TOKEN: test-token }`
  const journey = newJourney({
    'longhaul.yaml': `agent: { driver: claude, env: ${env} }\ngates: [ { name: tests, run: "test ! -e red" } ]\nlimits: { parallel: 5, error_delay: 0 }\njudge: { driver: agent }\n`,
  })
  const tasks = TASKS.map(([id, weight]) => ({ id, weight, title: `Task ${id}`, brief: 'Do it.' }))
  const [first, ...others] = tasks
  const milestones = [{ id: 'first', title: 'A beginning', brief: '' }]
  journey.write('tasks.json', JSON.stringify({ milestones, tasks: [{ ...first, milestone: 'first' }, ...others] }))
  expect((await journey.cli('import', 'tasks.json')).code).toBe(0)
  // Three: people are asked something.
  expect(await journey.cli('run')).toMatchObject({ code: 3 })

  const seen = new Seen(lab, jsonLines<Fact>(await journey.cli('log', '--json')))
  eachWeightGoesItsWay(seen)
  idleWorkIsSentBack(seen)
  reviewedWorkIsMendedWhereItWasDone(seen)
  reviewerReadsWhatHasChanged(journey)
  await agentSumsUp(journey, lab)
  await peopleAreAsked(journey)
  await peopleDecide(journey, lab)
  expect(leftovers(journey)).toEqual([])
})

/** What happened: facts by task, and prompts as the model got them. */
class Seen {
  readonly #lab: Lab
  readonly #facts: readonly Fact[]

  constructor(lab: Lab, facts: readonly Fact[]) {
    this.#lab = lab
    this.#facts = facts
  }

  facts(task: string, kind: string): readonly Fact[] {
    return this.#facts.filter((fact) => fact.kind === kind && fact.ledger === `attempt/${task}-a1`)
  }

  phases(task: string): readonly (string | undefined)[] {
    return this.facts(task, 'phase-entered').map(({ phase }) => phase)
  }

  /** The sessions of the rounds of a phase. */
  sessions(task: string, phase: string): readonly (string | undefined)[] {
    return this.facts(task, 'round-started')
      .filter((fact) => fact.phase === phase)
      .map(({ session }) => session)
  }

  /** What sent the work back, in order. */
  returns(task: string): readonly string[] {
    return this.facts(task, 'work-returned').map(({ from, findings = [] }) => {
      return `${from}: ${findings.map((finding) => `${finding.source} ${findingText(finding)}`).join('; ')}`
    })
  }

  requests(task: string, text: string): Lab['requests'] {
    return this.#lab.requests.filter(({ from, prompt, ...request }) => {
      return request.task === task && from === 'agent' && prompt.includes(text)
    })
  }
}

function eachWeightGoesItsWay(seen: Seen): void {
  expect(Object.fromEntries(WEIGHTS.map((weight) => [weight, seen.phases(weight)]))).toEqual(WAYS)
  for (const weight of ['medium', 'large', 'greenfield']) {
    expect(seen.requests(weight, '## Phase: implement')[0]?.prompt).toContain(SPEC)
  }
  expect(seen.requests('greenfield', '## Phase: spec')[0]?.prompt).toContain(PLAN)
  for (const weight of WEIGHTS.slice(1)) reviewerOnlyReads(seen, weight)
  const shared = ['implement', 'qa', 'document'].flatMap((phase) => seen.sessions('large', phase))
  expect(new Set(shared).size).toBe(1)
}

function reviewerOnlyReads(seen: Seen, task: string): void {
  const [first, ...more] = seen.sessions(task, 'review')
  expect(more).toEqual([first])
  expect(seen.sessions(task, 'implement')).not.toContain(first)
  const tools = seen.requests(task, '## Phase: review')[0]?.tools
  expect(tools).toEqual(expect.arrayContaining(['Read', 'Grep']))
  for (const tool of ['Write', 'Edit', 'Bash']) expect(tools).not.toContain(tool)
  expect(seen.requests(task, '## Phase: implement')[0]?.tools).toEqual(expect.arrayContaining(['Write', 'Bash']))
}

function idleWorkIsSentBack(seen: Seen): void {
  expect(seen.returns('idle')).toEqual([expect.stringContaining('diff nothing has changed since')])
  expect(seen.requests('idle', 'nothing has changed since')).not.toEqual([])
}

function reviewedWorkIsMendedWhereItWasDone(seen: Seen): void {
  for (const task of ['by-form', 'by-words']) {
    expect(seen.phases(task)).toEqual(['implement', 'verify', 'review', 'verify', 'review'])
    expect(seen.returns(task)).toEqual([`review: review high: by.txt:1 ${HIGH.message}`])
    const [first, ...more] = seen.sessions(task, 'implement')
    expect(more).toEqual([first])
    expect(seen.requests(task, 'A review of your work found:')[0]?.prompt).toContain(HIGH.message)
  }
}

/** It runs no commands, git's neither. */
function reviewerReadsWhatHasChanged(journey: Journey): void {
  const transcripts = join(journey.repository, '.git/longhaul/transcripts/stalemate-a1')
  const [transcript = ''] = readdirSync(transcripts).filter((name) => /^round-2\.(?!prompt)/.test(name))
  expect(readFileSync(join(transcripts, transcript), 'utf8')).toContain('+1.1')
}

/** As a judge it has no tools, and is one model call. */
async function agentSumsUp(journey: Journey, { requests }: Lab): Promise<void> {
  const { stdout } = await journey.cli('show', 'first')
  expect(stdout).toContain('by the judge (the agent itself was asked)')
  expect(stdout).toContain('- one small thing')
  const asked = requests.filter(({ prompt }) => prompt.startsWith('## Phase: judge'))
  expect(asked.map(({ tools }) => tools)).toEqual([[]])
}

async function peopleAreAsked(journey: Journey): Promise<void> {
  const { tasks } = await journey.status()
  const asked = tasks.filter(({ state }) => state === 'needs-person').map(({ id, reason }) => [id, reason])
  expect(Object.fromEntries(asked)).toEqual({
    blocked: expect.stringContaining('Which port?'),
    stalemate: expect.stringContaining(`stalemate: the review finds the same again: high: by.txt:1 ${HIGH.message}`),
    nonsense: expect.stringContaining('the review of the phase review cannot be read'),
  })
  await dossierTellsAll(journey)
  expect(tasks.filter(({ state }) => state === 'done')).toHaveLength(TASKS.length - asked.length)
  expect(Object.keys(OTHERS).map((task) => journey.git('ls-files', `${task}.txt`))).toEqual([
    ...['idle.txt', '', 'by-form.txt', 'by-words.txt', '', ''],
  ])
}

async function dossierTellsAll(journey: Journey): Promise<void> {
  const { stdout } = await journey.cli('show', 'stalemate', '--dossier', '--json')
  const { attempts, findings, commands } = JSON.parse(stdout) as Dossier
  expect(attempts.map(({ id, rounds }) => [id, ...rounds.map(({ phase, isAgain }) => `${phase}${isAgain}`)])).toEqual([
    [
      'stalemate-a1',
      ...['implement', 'review', 'review'].map((phase) => `${phase}false`),
      'implementfalse',
      'reviewfalse',
      'reviewtrue',
    ],
  ])
  expect(attempts[0]?.rounds[0]?.changed).toEqual([{ path: 'stalemate.txt', added: 1, removed: 0 }])
  expect(attempts[0]?.rounds[3]?.changed).toEqual([{ path: 'stalemate.txt', added: 1, removed: 0 }])
  expect(findings).toMatchObject([
    { finding: HIGH, places: ['stalemate-a1 round 3', 'stalemate-a1 round 6'], isOpen: true },
  ])
  expect(commands.map(({ command }) => command)).toEqual([
    ...['longhaul approve stalemate', 'longhaul reject stalemate TEXT', 'longhaul steer stalemate TEXT'],
    ...['longhaul retry stalemate', 'longhaul skip stalemate'],
  ])
}

async function peopleDecide(journey: Journey, lab: Lab): Promise<void> {
  expect((await journey.cli('answer', 'blocked', 'Port 8080.')).code).toBe(0)
  expect((await journey.cli('approve', 'stalemate')).code).toBe(0)
  expect((await journey.cli('reject', 'nonsense', 'Use tabs.')).code).toBe(0)
  expect(await journey.cli('run')).toMatchObject({ code: 0 })

  const { tasks } = await journey.status()
  expect(tasks.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(tasks.map(() => 'done 1'))
  const seen = new Seen(lab, jsonLines<Fact>(await journey.cli('log', '--json')))
  expect(seen.requests('blocked', 'Port 8080.')).not.toEqual([])
  expect(seen.sessions('blocked', 'implement')).toHaveLength(2)
  expect(seen.phases('stalemate')).toEqual(['implement', 'verify', 'review', 'verify', 'review'])
  expect(seen.returns('nonsense')).toEqual(['review: person Use tabs.'])
  expect(seen.requests('nonsense', 'Use tabs.')).not.toEqual([])
  expect(seen.sessions('nonsense', 'review')).toHaveLength(4)
  expect(journey.git('show', 'HEAD:nonsense.txt')).toBe('1.1\n1.2')
}
