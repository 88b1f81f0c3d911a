import { join } from 'node:path'
import { landedTasks, workLost } from './backlogs.ts'
import { claudeFaults, claudeWork, openClaudeJourney } from './claude-crash.ts'
import { type Journey, openJourney, SETTINGS } from './journey.ts'
import { type KilledRun, type PlannedKill, runWithKills, type Victim } from './run-with-kills.ts'

/** A run that records many kinds of events, with the outcome that it must have whatever is killed. */
export interface Scenario {
  /** Kinds of events that its engines record, as "ledger kind". */
  readonly kinds: readonly string[]
  /** Victims that are killed after each kind. */
  readonly victims: readonly Victim[]
  /** Creates the repository and everything else before the engine's first start. */
  open(programs: Readonly<Record<string, string>>): Promise<Journey>
  /** Runs the engine and carries out the kills. */
  play(journey: Journey, plannedKills: PlannedKill[]): Promise<KilledRun>
  /** Attempts that failed on purpose, whose work is kept. */
  readonly keeps: readonly string[]
  /** Faults at the end, one line each. */
  faults(journey: Journey, result: KilledRun): Promise<readonly string[]>
}

/** Victims in scenarios with the scripted agent. */
const ALL_VICTIMS: readonly Victim[] = ['engine', 'agent', 'both', 'tool child', 'engine and guard']

/** Scenarios by name. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  work: work(),
  asked: asked(),
  diverged: diverged(),
  judged: judged(),
  claude: claude(),
}

const LEAVE_CHILD = 'setsid sleep 600 > /dev/null 2>&1 &'

/** Command of every round: adds a line to the task's file and then to a journal outside the repository. */
function markCommand(journey: Journey): string {
  const line = '$LONGHAUL_TASK $LONGHAUL_ATTEMPT.$LONGHAUL_ROUND'
  const file = 'work/$LONGHAUL_TASK.txt'
  return `mkdir -p work; echo ${line} >> ${file}; echo ${line} >> '${journalOf(journey)}'`
}

function journalOf({ folder }: Journey): string {
  return join(folder, 'journal')
}

/** Tasks that land directly, return from a check and from a conflict, reach a usage limit, and fail once. */
function work(): Scenario {
  const tasks = [
    { id: 's1', title: 'Writes shared.txt first', weight: 'trivial' },
    { id: 's2', title: 'Writes shared.txt too, later', weight: 'trivial' },
    { id: 'b', title: 'Is red at first', weight: 'small' },
    { id: 'c', title: 'Meets a usage limit', weight: 'trivial', verify: ['true'] },
    { id: 'f', title: 'Is refused once', weight: 'trivial', after: ['b'] },
  ]
  return {
    kinds: [
      ...ofRun('engine-started settings-adopted line-opened baseline-checked attempt-started attempt-ready'),
      ...ofRun('attempt-notified attempt-ended candidate-prepared candidate-checked candidate-refused landed'),
      ...ofRun('target-followed attempt-waiting limit-hit limit-cleared attempt-resumed verify-already-green'),
      ...ofAttempt('attempt-opened workspace-made phase-entered round-started session-opened usage-observed'),
      ...ofAttempt('round-ended checkpoint-made verdict-given work-returned attempt-waiting ready-to-land'),
      ...ofAttempt('message-received verify-requested verify-tried'),
      ...ofAttempt('attempt-closing workspace-released attempt-ended'),
    ],
    async open(programs) {
      const journey = openJourney({ 'longhaul.yaml': `${SETTINGS}# as imported\n` }, { programs })
      journey.write('script.yaml', workScript(journey))
      await importTasks(journey, tasks)
      // Changed, so that the first engine records new settings.
      journey.write('longhaul.yaml', `${SETTINGS}time: { silence: 60 }\n`)
      journey.commit('settings')
      return journey
    },
    victims: ALL_VICTIMS,
    keeps: ['f-a1'],
    play: runWithKills,
    async faults(journey, { ran }) {
      return [
        ...difference('exit code', ran.code, 0),
        ...difference('landed', landedTasks(journey).toSorted().join(' '), 'b c f s1 s2'),
        ...workLost(journey, journalOf(journey)).map((line) => `lost: ${line}`),
        ...difference('main behind', (await journey.status()).run?.targetBehind, false),
      ]
    },
  }
}

function workScript(journey: Journey): string {
  const add = markCommand(journey)
  const line = `git -C '${journey.repository}' rev-parse refs/longhaul/landed/main`
  const usage = '{ usage: { input: 10, output: 5 } }'
  const steps = (run: string, ...more: readonly string[]) =>
    `steps: [ { run: "${LEAVE_CHILD} ${run}" }, ${more.join(', ')} ]`
  return [
    `- { task: s1, round: 1, ${steps(`echo 1 > shared.txt; ${add}`, usage, '{ report: done }')} }`,
    `- { task: s2, round: 1, ${steps(`echo 2 > shared.txt; ${add}`, usage, '{ wait: 0.6 }', '{ report: done }')} }`,
    `- { task: "s?", ${steps(`git merge -q -X theirs $(${line}) > /dev/null 2>&1; ${add}`, usage, '{ report: done }')} }`,
    `- { task: b, round: 1, ${steps(`touch red; ${add}`, usage, '{ report: done }')} }`,
    `- { task: c, round: 1, attempt: 1, ${steps(add, usage, '{ end: rate-limited, resetAt: "+0.2" }')} }`,
    `- { task: f, attempt: 1, round: 1, ${steps('echo no', usage, '{ end: refused }')} }`,
    `- { task: "*", ${steps(`rm -f red; ${add}`, usage, '{ report: done }')} }`,
    '',
  ].join('\n')
}

/** A person reverts one task and retries another while a third fails for good; most of the budget is spent. */
function asked(): Scenario {
  const tasks = [
    { id: 'a', title: 'Lands, and is reverted', weight: 'trivial' },
    { id: 'x', title: 'Asks a person first', weight: 'trivial' },
    { id: 'z', title: 'Cannot work', weight: 'trivial' },
  ]
  return {
    kinds: ofRun('budget-crossed task-failed reverted run-ended'),
    async open(programs) {
      const budget = 'budget: { task_usd: 9, run_usd: 10 }\n'
      const journey = openJourney({ 'longhaul.yaml': `${budget}${SETTINGS}` }, { programs })
      const add = `{ run: "${LEAVE_CHILD} ${markCommand(journey)}" }, { usage: { output: 70000 } }`
      journey.write(
        'script.yaml',
        [
          `- { task: x, attempt: 1, steps: [ ${add}, { report: blocked, reason: "which?" } ] }`,
          '- { task: z, steps: [ { end: config } ] }',
          `- { task: "*", steps: [ ${add}, { report: done } ] }\n`,
        ].join('\n'),
      )
      await importTasks(journey, tasks)
      return journey
    },
    victims: ALL_VICTIMS,
    keeps: ['x-a1', 'z-a1'],
    async play(journey, plannedKills) {
      const first = await runWithKills(journey, plannedKills)
      for (const args of [
        ['revert', 'a'],
        ['retry', 'x'],
      ]) {
        const { code, stderr } = await journey.cli(...args)
        if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
      }
      const second = await runWithKills(journey, plannedKills)
      const guards = [...first.guards, ...second.guards]
      const kills = [...first.kills, ...second.kills]
      return { engines: first.engines + second.engines, kills, guards, ran: second.ran }
    },
    async faults(journey, { ran }) {
      const { tasks: states } = await journey.status()
      return [
        ...difference('exit code', ran.code, 1),
        ...difference('states', states.map(({ state }) => state).join(' '), 'reverted done failed'),
        ...difference('history', landedTasks(journey).join(' '), 'a a x'),
        ...difference('a', journey.read('work/a.txt'), null),
      ]
    },
  }
}

/** After the run has ended, the target has commits of the user that the line lacks. */
function diverged(): Scenario {
  return {
    kinds: ofRun('target-held sync-requested synced'),
    async open(programs) {
      const journey = openJourney({ 'longhaul.yaml': SETTINGS, 'mine.txt': 'mine\n' }, { programs })
      journey.write('script.yaml', `- { task: "*", steps: [ { run: "${LEAVE_CHILD} ${markCommand(journey)}" } ] }\n`)
      await importTasks(journey, [{ id: 'a', title: 'A', weight: 'trivial' }])
      journey.write('mine.txt', 'changed\n')
      const { code, stderr } = await journey.cli('run')
      if (code !== 0) throw new Error(`the first run ended with ${code}: ${stderr}`)
      journey.commit('my change')
      return journey
    },
    victims: ALL_VICTIMS,
    keeps: [],
    play: runWithKills,
    async faults(journey, { ran }) {
      return [
        ...difference('exit code', ran.code, 0),
        ...difference('landed', landedTasks(journey, 'refs/longhaul/landed/main').join(' '), 'a'),
        ...difference('mine', journey.git('show', 'main:mine.txt'), 'changed'),
        ...workLost(journey, journalOf(journey)).map((line) => `lost: ${line}`),
        ...difference('main behind', (await journey.status()).run?.targetBehind, false),
      ]
    },
  }
}

/** Two milestones, and a judge that cannot be reached. */
function judged(): Scenario {
  const milestones = ['m1', 'm2'].map((id) => ({ id, title: id }))
  const tasks = ['a', 'b'].map((id, at) => ({ id, title: id, weight: 'small', milestone: milestones[at]?.id }))
  return {
    kinds: [...ofRun('milestone-summarized'), ...ofAttempt('opinion-requested opinion-given')],
    async open(programs) {
      const judge = 'judge: { driver: ollama, model: none, url: "http://127.0.0.1:9", opinions: true }\n'
      const journey = openJourney({ 'longhaul.yaml': `${SETTINGS}${judge}` }, { programs })
      journey.write(
        'script.yaml',
        `- { task: "*", steps: [ { run: "${LEAVE_CHILD} ${markCommand(journey)}" }, { report: done } ] }\n`,
      )
      await importTasks(journey, tasks, milestones)
      return journey
    },
    victims: ALL_VICTIMS,
    keeps: [],
    play: runWithKills,
    async faults(journey, { ran }) {
      // A round after a crash has a short prompt, so the first round is checked.
      const { stdout: prompt } = await journey.cliInProcess('show', 'b', '--prompt', '--round', '1')
      return [
        ...difference('exit code', ran.code, 0),
        ...difference('landed', landedTasks(journey).toSorted().join(' '), 'a b'),
        ...difference('summary in the prompt', /before it:\s+## Accomplished\s+- a: a/.test(prompt), true),
        ...workLost(journey, journalOf(journey)).map((line) => `lost: ${line}`),
      ]
    },
  }
}

/** The real Claude Code: a denied tool, a failed check, a full window, a usage limit. */
function claude(): Scenario {
  return {
    kinds: [
      ...ofRun(
        'engine-started line-opened baseline-checked attempt-started attempt-ready attempt-notified attempt-ended',
      ),
      ...ofRun('candidate-prepared candidate-checked landed target-followed run-ended'),
      ...ofRun('attempt-waiting limit-hit limit-cleared attempt-resumed'),
      ...ofAttempt('attempt-opened workspace-made phase-entered round-started session-opened usage-observed'),
      ...ofAttempt('tool-denied hand-off-started round-ended session-handed-off checkpoint-made verdict-given'),
      ...ofAttempt(
        'work-returned attempt-waiting ready-to-land message-received attempt-closing workspace-released attempt-ended',
      ),
    ],
    victims: ['engine', 'agent', 'both'],
    open: () => openClaudeJourney(claudeWork()),
    keeps: [],
    play: runWithKills,
    faults: (journey, result) => claudeFaults(journey, claudeWork(), result),
  }
}

async function importTasks(
  journey: Journey,
  tasks: readonly object[],
  milestones: readonly object[] = [],
): Promise<void> {
  journey.write('tasks.json', JSON.stringify({ milestones, tasks }))
  journey.commit('script and tasks')
  const { code, stderr } = await journey.cliInProcess('import', 'tasks.json')
  if (code !== 0) throw new Error(`the import ended with ${code}: ${stderr}`)
}

function difference(what: string, actual: unknown, expected: unknown): readonly string[] {
  return actual === expected ? [] : [`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`]
}

function ofRun(kinds: string): readonly string[] {
  return kinds.split(' ').map((kind) => `run ${kind}`)
}

function ofAttempt(kinds: string): readonly string[] {
  return kinds.split(' ').map((kind) => `attempt ${kind}`)
}
