import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { costUsd } from '../../src/core/limits/prices.ts'
import type { UsageReport } from '../../src/core/model/round.ts'
import type { LabRequest } from '../../src/lab/lab-request.ts'
import { labFor } from '../agents/lab-for.ts'
import { landedTasks, workLost } from './backlogs.ts'
import { ENDS_THE_LIFE, type Fact, type Struck, type WorkedOff } from './crash-kit.ts'
import { type Journey, jsonLines, openJourney } from './journey.ts'

/** What a Claude Code that is killed has to do: tasks, and rules for the lab. */
export interface ClaudeWork {
  readonly tasks: readonly { readonly id: string; readonly title: string; readonly weight: string }[]
  /** Rules that come before the usual one: a mark and a claim in every round. */
  rules(mark: string): readonly string[]
}

/** A repository whose agents are the real Claude Code, with a lab for a model that keeps a record of its own. */
export async function openClaudeJourney({ tasks, rules }: ClaudeWork): Promise<Journey> {
  const journey = openJourney({ 'first.txt': 'first\n' })
  const mark = markIn(journey)
  const usual = `{ steps: [ { run: "rm -f red; ${mark}" }, { report: done } ] }`
  const scenario = [`usage: ${USAGE}`, 'rules:', ...[...rules(mark), usual].map((rule) => `  - ${rule}`)].join('\n')
  const lab = await labFor(scenario, { record: recordOf(journey) })
  const env = `{ ANTHROPIC_BASE_URL: "${lab.url}", CLAUDE_CODE_OAUTH_TOKEN: test-token }`
  journey.write('longhaul.yaml', `agent: { driver: claude, env: ${env} }\n${SETTINGS}`)
  journey.write('tasks.json', JSON.stringify({ tasks }))
  journey.commit('settings and tasks')
  const { code, stderr } = await journey.here('import', 'tasks.json')
  if (code !== 0) throw new Error(`the import ended with ${code}: ${stderr}`)
  return {
    ...journey,
    end() {
      journey.end()
      void lab.close()
    },
  }
}

/** Tasks that meet a denied tool and a red check, a full window, and a usage limit. */
export function claudeWork(): ClaudeWork {
  return {
    tasks: [
      { id: 'b', title: 'Is red at first', weight: 'small' },
      { id: 'h', title: 'Fills a window', weight: 'trivial' },
      { id: 'l', title: 'Meets a usage limit', weight: 'trivial' },
    ],
    rules: (mark) => [
      '{ match: your context window is nearly full, steps: [ { say: one line is there } ] }',
      `{ task: b, round: 1, steps: [ ${OUTSIDE}, { run: "touch red; ${mark}" }, { report: done } ] }`,
      `{ task: h, session: 1, steps: [ { run: "${mark}", usage: ${FULL} }, { run: sleep 1 }, { report: done } ] }`,
      `{ task: l, session: 1, round: 1, steps: [ { run: "${mark}" }, { say: never, fault: { limit: "+1" } } ] }`,
    ],
  }
}

const OUTSIDE = '{ write: { path: ../../../out.txt, text: no } }'
// Enough for a hand-off.
const FULL = '{ input: 50, cacheRead: 210000, cacheWrite: 500, output: 10 }'

const USAGE = '{ input: 1000, cacheRead: 20000, cacheWrite: 500, output: 200 }'
const SETTINGS = `gates: [ { name: tests, run: "test ! -e red" } ]
limits: { error_delay: 0, limit_delay: 0 }
budget: { task_usd: null, run_usd: null, day_usd: null }
`

/** Everything that is wrong after such work was killed and brought to its end, a line each. */
export async function claudeFaults(journey: Journey, work: ClaudeWork, worked: WorkedOff): Promise<readonly string[]> {
  const facts = jsonLines<ClaudeFact>(await journey.here('log', '--json'))
  const served = requestsOf(journey)
  const wanted = work.tasks.map(({ id }) => id).toSorted()
  return [
    ...(worked.ran.code === 0 ? [] : [`exit code ${worked.ran.code}: ${worked.ran.stderr}`]),
    ...unlike('landed', landedTasks(journey).toSorted(), wanted),
    ...workLost(journey, journalOf(journey)).map((line) => `lost: ${line}`),
    ...repeated(linesOf(journalOf(journey))).map((line) => `done twice: ${line}`),
    ...wanted.flatMap((id) => repeated(linesOf(join(journey.repository, 'work', `${id}.txt`)))),
    ...asksOfSurvivors(facts, served, worked.struck, recordsOf(journey)),
    ...(await moneyFaults(journey, facts, served, worked.struck.length)),
  ]
}

interface ClaudeFact extends Fact {
  readonly at: string
  readonly usage?: Usage
}

type Usage = Pick<UsageReport, 'message' | 'model' | 'tokens'>

/** Every round adds a line to the task's file and then to a journal outside of everything. */
function markIn(journey: Journey): string {
  const line = '{task} {attempt}.{session}.{round}'
  return `mkdir -p work; echo ${line} >> work/{task}.txt; echo ${line} >> '${journalOf(journey)}'`
}

function journalOf({ folder }: Journey): string {
  return join(folder, 'journal')
}

function recordOf({ folder }: Journey): string {
  return join(folder, 'requests.jsonl')
}

function requestsOf(journey: Journey): readonly LabRequest[] {
  return linesOf(recordOf(journey)).map((line) => JSON.parse(line) as LabRequest)
}

/** Calls of whoever lived on: after an engine's death and before the next start, or of a round that was over. */
function asksOfSurvivors(
  facts: readonly ClaudeFact[],
  served: readonly LabRequest[],
  struck: readonly Struck[],
  records: string,
): readonly string[] {
  const starts = facts.filter(({ kind }) => kind === 'engine-started').map(({ at }) => Date.parse(at))
  const deaths = struck.filter(({ victim }) => ENDS_THE_LIFE.has(victim)).map(({ at }) => at)
  const deathBefore = (at: number) => deaths.findLast((died) => died + DYING_MS < at)
  const late = served.filter(({ at }) => {
    const died = deathBefore(at)
    return died !== undefined && !starts.some((start) => start >= died && start <= at)
  })
  // A busy machine hears the last call of the dead late: one, with an answer that nobody got.
  const orphans = late.filter(
    ({ at, task, message }) =>
      records.includes(message ?? 'none') ||
      late.some((other) => other.task === task && other.at < at && deathBefore(other.at) === deathBefore(at)),
  )
  const latest = new Map<string, number>()
  const outdated = served.filter(({ task, attempt, phase, sessionNumber, round }) => {
    const key = `${task}-a${attempt} ${phase}`
    const place = (sessionNumber ?? 0) * ROUNDS + (round ?? 0)
    const before = latest.get(key) ?? 0
    latest.set(key, Math.max(place, before))
    return place < before
  })
  return [
    ...orphans.map((request) => `asked after its death: ${placeOf(request)}`),
    ...outdated.map((request) => `asked in a round that was over: ${placeOf(request)}`),
  ]
}

// What had been sent before a death is still on its way for a moment.
const DYING_MS = 100
const ROUNDS = 1_000

function placeOf({ at, task, sessionNumber, round, step }: LabRequest): string {
  return `${task}, session ${sessionNumber}, round ${round}, step ${step}, at ${at}`
}

/** Each call that was served is in the ledgers once, with its tokens and its price. */
async function moneyFaults(
  journey: Journey,
  facts: readonly ClaudeFact[],
  served: readonly LabRequest[],
  strikes: number,
): Promise<readonly string[]> {
  const observed = facts.flatMap(({ usage }) => (usage === undefined ? [] : [usage]))
  const answered = served.filter(({ message }) => message !== null)
  const wrong = answered.filter((request) => !observed.some((usage) => isSame(usage, request)))
  // An answer that was on its way when its agent died never reached anybody; there is at most one for each death.
  const records = recordsOf(journey)
  const known = wrong.filter(({ message }) => records.includes(message ?? ''))
  const isTooMany = (task: string | null) => wrong.filter((request) => request.task === task).length > strikes
  const priced = observed.reduce((sum, { tokens, model }) => sum + (costUsd(tokens, model, {}) ?? Number.NaN), 0)
  const { totals } = await journey.status()
  return [
    ...repeated(observed.map(({ message }) => message)).map((message) => `paid twice: ${message}`),
    ...known.map((request) => `known to the agent, and not paid as served: ${placeOf(request)}`),
    ...wrong.filter(({ task }) => isTooMany(task)).map((request) => `not paid: ${placeOf(request)}`),
    ...(Math.abs(totals.usd - priced) < CENT / 2 ? [] : [`${totals.usd} USD, not ${priced}`]),
  ]
}

function isSame({ message, tokens }: Usage, request: LabRequest): boolean {
  return message === request.message && JSON.stringify(tokens) === JSON.stringify(request.usage)
}

/** All that agents have kept of their sessions. */
function recordsOf({ env }: Journey): string {
  const projects = join(env.HOME ?? '', '.claude/projects')
  const files = readdirSync(projects, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  return files.map((file) => readFileSync(join(projects, file), 'utf8')).join('\n')
}

const CENT = 0.01

function repeated(lines: readonly string[]): readonly string[] {
  return lines.filter((line, index) => lines.indexOf(line) !== index)
}

function linesOf(file: string): readonly string[] {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []
}

function unlike(what: string, found: unknown, wanted: unknown): readonly string[] {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)]
  return a === b ? [] : [`${what}: ${a}, not ${b}`]
}
