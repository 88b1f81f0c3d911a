import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { costUsd } from '../../src/core/limits/prices.ts'
import type { UsageReport } from '../../src/core/model/round.ts'
import type { LabRequest } from '../../src/lab/lab-request.ts'
import { labFor } from '../agents/lab-for.ts'
import { landedTasks, workLost } from './backlogs.ts'
import { type Journey, jsonLines, openJourney } from './journey.ts'
import { type Fact, KILLS_ENGINE, type Kill, type KilledRun } from './run-with-kills.ts'

/** Work for a Claude Code that is killed: tasks, and rules for the lab. */
export interface ClaudeWork {
  readonly tasks: readonly { readonly id: string; readonly title: string; readonly weight: string }[]
  /** Rules before the default one, which writes a mark and a claim in every round. */
  rules(mark: string): readonly string[]
}

/** Creates a repository whose agents are the real Claude Code, with a lab that records its requests. */
export async function openClaudeJourney({ tasks, rules }: ClaudeWork): Promise<Journey> {
  const journey = openJourney({ 'first.txt': 'first\n' })
  const mark = markIn(journey)
  const { journal, records } = placesOf(journey)
  writeFileSync(journal, '')
  mkdirSync(records)
  const defaultRule = `{ steps: [ { run: "rm -f red; ${mark}" }, { report: done } ] }`
  const scenario = [`usage: ${USAGE}`, 'rules:', ...[...rules(mark), defaultRule].map((rule) => `  - ${rule}`)].join(
    '\n',
  )
  const lab = await labFor(scenario, { record: recordOf(journey) })
  const env = `{ ANTHROPIC_BASE_URL: "${lab.url}", CLAUDE_CODE_OAUTH_TOKEN: test-token }`
  const sandbox = `{ write: ${JSON.stringify([journal, records])} }`
  journey.write('longhaul.yaml', `agent: { driver: claude, env: ${env} }\nsandbox: ${sandbox}\n${SETTINGS}`)
  journey.write('tasks.json', JSON.stringify({ tasks }))
  journey.commit('settings and tasks')
  const { code, stderr } = await journey.cliInProcess('import', 'tasks.json')
  if (code !== 0) throw new Error(`the import ended with ${code}: ${stderr}`)
  return {
    ...journey,
    end() {
      journey.end()
      void lab.close()
    },
  }
}

/** Returns tasks with a denied tool and a failed check, a full window, and a usage limit. */
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
// Enough tokens for a hand-off.
const FULL = '{ input: 50, cacheRead: 210000, cacheWrite: 500, output: 10 }'

const USAGE = '{ input: 1000, cacheRead: 20000, cacheWrite: 500, output: 200 }'
const SETTINGS = `gates: [ { name: tests, run: "test ! -e red" } ]
limits: { error_delay: 0, limit_delay: 0 }
budget: { task_usd: null, run_usd: null, day_usd: null }
`

/** Returns all faults after the killed work has ended, one line each. */
export async function claudeFaults(journey: Journey, work: ClaudeWork, result: KilledRun): Promise<readonly string[]> {
  const facts = jsonLines<ClaudeFact>(await journey.cliInProcess('log', '--json'))
  const served = requestsOf(journey)
  const expected = work.tasks.map(({ id }) => id).toSorted()
  return [
    ...(result.ran.code === 0 ? [] : [`exit code ${result.ran.code}: ${result.ran.stderr}`]),
    ...difference('landed', landedTasks(journey).toSorted(), expected),
    ...workLost(journey, placesOf(journey).journal).map((line) => `lost: ${line}`),
    ...repeated(linesOf(placesOf(journey).journal)).map((line) => `done twice: ${line}`),
    ...expected.flatMap((id) => repeated(linesOf(join(journey.repository, 'work', `${id}.txt`)))),
    ...callsOfSurvivors(facts, served, result.kills, recordsOf(journey)),
    ...(await moneyFaults(journey, facts, served, result.kills.length)),
  ]
}

interface ClaudeFact extends Fact {
  readonly at: string
  readonly usage?: Usage
}

type Usage = Pick<UsageReport, 'message' | 'model' | 'tokens'>

/** Command of every round: saves the agent's records, then adds a line to the task's file and to a journal outside. */
function markIn(journey: Journey): string {
  const line = '{task} {attempt}.{session}.{round}'
  const { journal, records } = placesOf(journey)
  const save = `cp -r \\"$CLAUDE_CONFIG_DIR/projects\\" '${records}'`
  return `${save}; mkdir -p work; echo ${line} >> work/{task}.txt; echo ${line} >> '${journal}'`
}

/** Returns the places outside of the repository that agents may write. */
function placesOf({ folder }: Journey): { readonly journal: string; readonly records: string } {
  return { journal: join(folder, 'journal'), records: join(folder, 'records') }
}

function recordOf({ folder }: Journey): string {
  return join(folder, 'requests.jsonl')
}

function requestsOf(journey: Journey): readonly LabRequest[] {
  return linesOf(recordOf(journey)).map((line) => JSON.parse(line) as LabRequest)
}

/** Finds calls of agents that survived: between an engine's death and the next start, or in a round that had ended. */
function callsOfSurvivors(
  facts: readonly ClaudeFact[],
  served: readonly LabRequest[],
  kills: readonly Kill[],
  records: string,
): readonly string[] {
  const starts = facts.filter(({ kind }) => kind === 'engine-started').map(({ at }) => Date.parse(at))
  const deaths = kills.filter(({ victim }) => KILLS_ENGINE.has(victim)).map(({ at }) => at)
  const deathBefore = (at: number) => deaths.findLast((died) => died + DYING_MS < at)
  const late = served.filter(({ at }) => {
    const died = deathBefore(at)
    return died !== undefined && !starts.some((start) => start >= died && start <= at)
  })
  // On a busy machine the last call of a dead agent may arrive late: one call, whose answer reached no agent.
  const orphans = late.filter(
    ({ at, task, message }) =>
      records.includes(message ?? 'none') ||
      late.some((other) => other.task === task && other.at < at && deathBefore(other.at) === deathBefore(at)),
  )
  const latest = new Map<string, number>()
  const outdated = served.filter(({ task, attempt, phase, sessionNumber, round }) => {
    const key = `${task}-a${attempt} ${phase}`
    const order = (sessionNumber ?? 0) * ROUNDS + (round ?? 0)
    const before = latest.get(key) ?? 0
    latest.set(key, Math.max(order, before))
    return order < before
  })
  return [
    ...orphans.map((request) => `called after its death: ${callText(request)}`),
    ...outdated.map((request) => `called in a round that had ended: ${callText(request)}`),
  ]
}

// Requests sent before a death may arrive a moment later.
const DYING_MS = 100
const ROUNDS = 1_000

function callText({ at, task, sessionNumber, round, step }: LabRequest): string {
  return `${task}, session ${sessionNumber}, round ${round}, step ${step}, at ${at}`
}

/** Finds calls that are not in the ledgers exactly once, with their tokens and price. */
async function moneyFaults(
  journey: Journey,
  facts: readonly ClaudeFact[],
  served: readonly LabRequest[],
  plannedKills: number,
): Promise<readonly string[]> {
  const observed = facts.flatMap(({ usage }) => (usage === undefined ? [] : [usage]))
  const answered = served.filter(({ message }) => message !== null)
  const wrong = answered.filter((request) => !observed.some((usage) => isSame(usage, request)))
  // An answer in transit when its agent died never arrived; there is at most one for each death.
  const records = recordsOf(journey)
  const known = wrong.filter(({ message }) => records.includes(message ?? ''))
  const isTooMany = (task: string | null) => wrong.filter((request) => request.task === task).length > plannedKills
  const priced = observed.reduce((sum, { tokens, model }) => sum + (costUsd(tokens, model, {}) ?? Number.NaN), 0)
  const { totals } = await journey.status()
  return [
    ...repeated(observed.map(({ message }) => message)).map((message) => `counted twice: ${message}`),
    ...known.map((request) => `known to the agent, but not counted as served: ${callText(request)}`),
    ...wrong.filter(({ task }) => isTooMany(task)).map((request) => `not counted: ${callText(request)}`),
    ...(Math.abs(totals.usd - priced) < CENT / 2 ? [] : [`${totals.usd} USD, not ${priced}`]),
  ]
}

function isSame({ message, tokens }: Usage, request: LabRequest): boolean {
  return message === request.message && JSON.stringify(tokens) === JSON.stringify(request.usage)
}

/** Returns everything that agents recorded of their sessions, up to the last mark of each. */
function recordsOf(journey: Journey): string {
  const { records } = placesOf(journey)
  const files = readdirSync(records, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  return files.map((file) => readFileSync(join(records, file), 'utf8')).join('\n')
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

function difference(what: string, actual: unknown, expected: unknown): readonly string[] {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)]
  return a === b ? [] : [`${what}: ${a}, not ${b}`]
}
