import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { agentFile } from '../src/adapters/drivers/scripted/agent-file.ts'
import type { AttemptEvent } from '../src/core/model/attempt-event.ts'
import type { TaskId } from '../src/core/model/ids.ts'
import type { Task } from '../src/core/model/task.ts'
import type { AgentEvent } from '../src/ports/agent-driver.ts'
import type { EnginePorts } from '../src/ports/engine-ports.ts'
import { gitFor, playAgent } from './bare-loop.ts'
import { comparedBeyondGit, type Stretch, stretchBetween } from './beyond-git.ts'
import { driveHere } from './drive-here.ts'
import { makeProject, type Project } from './project.ts'
import type { BenchResult } from './result.ts'
import { type GitTimes, gitTimes, type Instant, instant, ProcessWatch, type SeenProcess } from './watch-processes.ts'

// Rounds per task: a check may return work three times.
const ROUNDS = 4
const TASKS = 30
const OURS_MS_MAX = 100
const CHECK = 'grep -q whole work.txt || { cat work.txt; exit 1; }'
const SETTINGS = `agent: { driver: scripted, script: script.yaml }
limits: { parallel: 1 }
budget: { task_usd: null, run_usd: null, day_usd: null }
gates: [ { name: whole, run: "${CHECK}" } ]
workflows: { small: { phases: [ { name: implement }, { name: verify, by: script } ] } }
`

// A round has ended when its driver reports it; a check has started when its contained shell gets the engine's word; in
// between git saves the work. A verdict counts from when it is durable in the ledger; the next prompt is sent when the
// agent has started. Git's own time is separated as for slots. The baseline is a loop without a ledger and without a
// search for leftover processes, which saves the work with three commands. Tasks run one at a time, so everything in
// between belongs to one task.

/** Measures the time from a round's end to its check, and from a verdict to the next prompt, without git's own. */
export async function benchRounds(): Promise<BenchResult[]> {
  const bare = await bareRounds()
  const ours = await engineRounds()
  const what = 'rounds against a bare loop'
  return [
    comparedBeyondGit({
      name: 'round ended to check started, beyond git',
      bound: OURS_MS_MAX,
      what,
      ours: ours.toCheck,
      bare: bare.toCheck,
    }),
    comparedBeyondGit({
      name: 'verdict to next prompt, beyond git',
      bound: OURS_MS_MAX,
      what,
      ours: ours.toPrompt,
      bare: bare.toPrompt,
    }),
  ]
}

interface Measured {
  readonly toCheck: readonly Stretch[]
  readonly toPrompt: readonly Stretch[]
}

type Mark = { readonly kind: 'ended' | 'check' | 'verdict' | 'prompt'; readonly when: Instant }

async function engineRounds(): Promise<Measured> {
  return inProject(async (project, watch, marks) => {
    await driveHere(project, SETTINGS, tasksInLine(), (ports) => watched(ports, watch, marks))
  })
}

/** Notes the ends of rounds and durable verdicts; starts checks in a workspace under the name of "check". */
function watched(ports: EnginePorts, watch: ProcessWatch, marks: Mark[]): EnginePorts {
  const { gate, store } = ports
  return {
    ...ports,
    gate: {
      ...gate,
      check(order, signal) {
        const judge = () => gate.check(order, signal)
        return order.place === 'workspace' ? watch.inNameOf('check', judge) : judge()
      },
    },
    store: {
      ...store,
      async append(batch) {
        const result = await store.append(batch)
        if ((batch.events as readonly AttemptEvent[]).some((event) => event.kind === 'verdict-given' && !event.passed))
          marks.push({ kind: 'verdict', when: instant() })
        return result
      },
    },
    driver(name) {
      const driver = ports.driver(name)
      if (driver === null) return null
      const start: typeof driver.start = (spec) => {
        const round = driver.start(spec)
        return { ...round, events: untilEnded(round.events, marks) }
      }
      return { ...driver, start }
    },
  }
}

async function* untilEnded(events: AsyncIterable<AgentEvent>, marks: Mark[]): AsyncIterable<AgentEvent> {
  for await (const event of events) {
    if (event.kind === 'ended') marks.push({ kind: 'ended', when: instant() })
    yield event
  }
}

async function bareRounds(): Promise<Measured> {
  return inProject(async (project, watch, marks) => {
    const git = gitFor(project)
    const check = promisify(execFile)
    for (let round = 1; round <= TASKS; round += 1) {
      await playAgent(project, project.repository, { id: 'bare', path: 'work.txt', text: `whole ${round}\n`, ms: 0 })
      marks.push({ kind: 'ended', when: instant() })
      await git(project.repository, 'add', '--all')
      const tree = await git(project.repository, 'write-tree')
      await git(project.repository, 'commit-tree', tree, '-p', 'HEAD', '-m', `Round ${round}`)
      await watch.inNameOf('check', () => check('sh', ['-c', CHECK], { cwd: project.repository, env: project.env }))
      marks.push({ kind: 'verdict', when: instant() })
    }
  })
}

async function inProject(
  work: (project: Project, watch: ProcessWatch, marks: Mark[]) => Promise<void>,
): Promise<Measured> {
  const project = makeProject({ 'work.txt': 'whole\n', 'longhaul.yaml': SETTINGS, 'script.yaml': script() })
  const traces = project.traceGit()
  const watch = new ProcessWatch()
  const marks: Mark[] = []
  try {
    await work(project, watch, marks)
    const seen = watch.end()
    for (const process of seen) {
      const kind = markOf(process)
      if (kind !== null) marks.push({ kind, when: process.started })
    }
    marks.sort((a, b) => a.when.at - b.when.at)
    const git = seen.filter(({ command }) => command[0] === 'git')
    const times = gitTimes(traces)
    return {
      toCheck: stretches(marks, 'ended', 'check', git, times),
      toPrompt: stretches(marks, 'verdict', 'prompt', git, times),
    }
  } finally {
    project.remove()
  }
}

function markOf({ owner, command }: SeenProcess): 'check' | 'prompt' | null {
  if (command.includes(agentFile())) return 'prompt'
  return owner === 'check' && command.some((part) => part.includes(CHECK)) ? 'check' : null
}

/** Measures from each mark of one kind to the next of another; the last one may have none. */
function stretches(
  marks: readonly Mark[],
  from: Mark['kind'],
  to: Mark['kind'],
  git: readonly SeenProcess[],
  times: GitTimes,
): readonly Stretch[] {
  return marks.flatMap((mark, index) => {
    const next = mark.kind === from ? marks.slice(index).find(({ kind }) => kind === to) : undefined
    if (next === undefined) return []
    const between = git.filter(({ made }) => made.at > mark.when.at && made.at < next.when.at)
    return [stretchBetween(mark.when, next.when, between, times)]
  })
}

/** Builds tasks that each depend on the one before. */
function tasksInLine(): readonly Task[] {
  const ids = Array.from({ length: TASKS }, (_, index) => `t${index}` as TaskId)
  return ids.map((id, index) => ({
    id,
    title: `Write ${id}`,
    brief: '',
    after: ids.slice(0, index).slice(-1),
    weight: 'small',
    type: null,
    milestone: null,
    priority: 0,
    acceptance: [],
    verify: [],
    mayChange: [],
    files: [],
  }))
}

/** Builds a script whose work passes the check in the last round only. */
function script(): string {
  const write = (text: string) => [{ run: `echo ${text} > work.txt` }, { report: 'done' }]
  const rounds = Array.from({ length: ROUNDS - 1 }, (_, index) => {
    return { task: '*', round: index + 1, steps: write(`part ${index + 1} of $LONGHAUL_TASK`) }
  })
  return JSON.stringify([...rounds, { task: '*', steps: write('whole $LONGHAUL_TASK') }])
}
