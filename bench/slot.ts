import { agentFile } from '../src/adapters/drivers/scripted/agent-file.ts'
import { attemptLedger, type LedgerId } from '../src/core/model/ids.ts'
import type { RunEvent } from '../src/core/model/run-event.ts'
import type { EnginePorts } from '../src/ports/engine-ports.ts'
import type { AppendBatch } from '../src/ports/store.ts'
import { bareLoop } from './bare-loop.ts'
import { comparedBeyondGit, type Stretch, stretchBetween } from './beyond-git.ts'
import { driveHere } from './drive-here.ts'
import { makeProject } from './project.ts'
import type { BenchResult } from './result.ts'
import { asTasks, PARALLEL, type TrivialTask, trivialFiles, trivialTasks } from './trivial-tasks.ts'
import { gitTimes, type Instant, instant, ProcessWatch, type SeenProcess } from './watch-processes.ts'

const TASKS = 63
const BARE_TASKS = 33
// Longer than it takes to land their work, and different, so that slots do not become free at the same moment.
const AGENT_MS = [1_300, 1_700, 2_100]
const BEYOND_GIT_MS_MAX = 100

// A slot is free when "ready-to-land" is durable in the ledger of the attempt that held it. The next agent has started when
// its contained shell gets the engine's word (for the loop: when Node has created the process). In between, git makes the
// new workspace. A git command's own time goes from just before its process is created to the end in its trace, so delays
// of the engine do not count as git's; overlapping commands count once. The rest is ours: ledgers, decisions, the search
// for leftover processes, small files, the event loop, starting the agent. The baseline is a loop that keeps no ledger and
// searches for nothing. The note also has our time without waiting for a processor.

/** Measures the time from a freed slot to the next agent's start, without git's own. */
export async function benchSlot(): Promise<BenchResult[]> {
  const agentMs = (index: number) => AGENT_MS[index % AGENT_MS.length] ?? 0
  const bare = await bareSlots(trivialTasks(BARE_TASKS, agentMs))
  const ours = await engineSlots(trivialTasks(TASKS, agentMs))
  const name = 'slot freed to agent started, beyond git'
  return [comparedBeyondGit({ name, ours, bare, what: 'slots against a bare loop', bound: BEYOND_GIT_MS_MAX })]
}

async function engineSlots(tasks: readonly TrivialTask[]): Promise<readonly Stretch[]> {
  const project = makeProject(trivialFiles(tasks))
  const traces = project.traceGit()
  const watch = new ProcessWatch()
  const freed = new FreedSlots()
  try {
    const settings = trivialFiles(tasks)['longhaul.yaml'] ?? ''
    await driveHere(project, settings, asTasks(tasks), (ports) => watched(ports, watch, freed))
    return slotsFrom(freed.for, watch.end(), traces)
  } finally {
    project.remove()
  }
}

async function bareSlots(tasks: readonly TrivialTask[]): Promise<readonly Stretch[]> {
  const project = makeProject(trivialFiles(tasks))
  const traces = project.traceGit()
  const watch = new ProcessWatch()
  const begun = new Map<string, Instant>()
  try {
    await bareLoop(project, tasks, (task, work) => {
      begun.set(task, instant())
      return watch.inNameOf(task, work)
    })
    for (const task of [...begun.keys()].slice(0, PARALLEL)) begun.delete(task)
    return slotsFrom(begun, watch.end(), traces)
  } finally {
    project.remove()
  }
}

/** Makes workspaces and starts agents in the names of their attempts. */
function watched(ports: EnginePorts, watch: ProcessWatch, freed: FreedSlots): EnginePorts {
  const { workspaces, store } = ports
  return {
    ...ports,
    workspaces: {
      ...workspaces,
      ensure: (spec, ...more) => watch.inNameOf(spec.attempt, () => workspaces.ensure(spec, ...more)),
    },
    driver(name) {
      const driver = ports.driver(name)
      if (driver === null) return null
      const start: typeof driver.start = (spec) => {
        const round = driver.start(spec)
        return { ...round, events: watch.iterateInNameOf(spec.order.attempt, round.events) }
      }
      return { ...driver, start }
    },
    store: {
      ...store,
      async append(batch) {
        const result = await store.append(batch)
        freed.appended(batch)
        return result
      },
    },
  }
}

/** Knows for each attempt when the slot that it got became free. */
class FreedSlots {
  readonly for = new Map<string, Instant>()
  readonly #readyAt = new Map<LedgerId, Instant>()
  readonly #free: Instant[] = []

  appended({ ledger, events }: AppendBatch): void {
    if (events.some(({ kind }) => kind === 'ready-to-land')) this.#readyAt.set(ledger, instant())
    if (!ledger.startsWith('run/')) return
    for (const event of events as readonly RunEvent[]) {
      const freed = event.kind === 'attempt-ready' ? this.#readyAt.get(attemptLedger(event.attempt)) : undefined
      if (freed !== undefined) this.#free.push(freed)
      const taken = event.kind === 'attempt-started' ? this.#free.shift() : undefined
      if (event.kind === 'attempt-started' && taken !== undefined) this.for.set(event.attempt, taken)
    }
  }
}

function slotsFrom(
  freed: ReadonlyMap<string, Instant>,
  seen: readonly SeenProcess[],
  traces: string,
): readonly Stretch[] {
  const times = gitTimes(traces)
  const isAgent = ({ command }: SeenProcess) => command.includes(agentFile())
  const agents = new Map(seen.filter(isAgent).map((process) => [process.owner, process]))
  return [...freed].map(([owner, from]) => {
    const agent = agents.get(owner)
    if (agent === undefined) throw new Error(`no agent was started for ${owner}`)
    const isOurs = ({ owner: whose, command, made }: SeenProcess) =>
      whose === owner && command[0] === 'git' && made.at < agent.started.at
    return stretchBetween(from, agent.started, seen.filter(isOurs), times)
  })
}
