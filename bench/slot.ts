import { type LoadedSettings, loadSettings } from '../src/config/load.ts'
import { attemptLedger, type LedgerId, type RequestId, type RunId } from '../src/core/model/ids.ts'
import type { Request } from '../src/core/model/input.ts'
import type { RunEvent } from '../src/core/model/run-event.ts'
import { agentFile } from '../src/drivers/scripted/agent-file.ts'
import { RunEngine } from '../src/engine/drive-run.ts'
import type { PortsInUse } from '../src/engine/ports-in-use.ts'
import type { AppendBatch } from '../src/ports/store.ts'
import { bareLoop } from './bare-loop.ts'
import { makeProject, type Project } from './project.ts'
import { openAdapters } from './real-adapters.ts'
import { type BenchResult, median, percentile } from './result.ts'
import { asTasks, PARALLEL, type TrivialTask, trivialFiles, trivialTasks } from './trivial-tasks.ts'
import {
  commandKey,
  type GitTimes,
  gitTimes,
  type Instant,
  instant,
  ProcessWatch,
  type SeenProcess,
} from './watch-processes.ts'

const TASKS = 63
const BARE_TASKS = 33
// Agents take longer than it takes to land their work. That of two seconds by turns keeps the slots from becoming free
// at the same moment.
const AGENT_MS = [1_300, 1_700, 2_100]
const BEYOND_GIT_MS_MAX = 20
const RUN = '2026-01-01-0000-slot' as RunId

// A slot is free when "ready-to-land" is durable in the ledger of the attempt that held it. The next agent is started
// when its start is recorded: the last thing that its process does before it becomes bwrap, then Node. (For the loop:
// when Node has made the process.) In between, git makes the new workspace. The own time of a git command goes from the
// moment before its process is asked for to the end that it writes into its own trace, so that nothing which the engine
// does late counts as git's; where two commands run at once, their common time counts once. The rest is ours: two
// ledgers, decisions, looking for processes left over, small files, waiting for the event loop, starting the agent. The
// baseline is the same for a loop that keeps no ledger and looks for nothing: what the machine's other work costs
// anybody. The note also has our time less the kernel's count of how long this process waited for the processor; while
// git ran, too, a proportional part of it. With agents that take no time at all there is never a core to spare: that is
// measured beside, to be compared with the bare loop.

/** From a slot that becomes free to the next agent's process, without git's own time. */
export async function benchSlot(): Promise<BenchResult[]> {
  const working = await measured('slot freed to agent started, beyond git', (index) => AGENT_MS[index % 3] ?? 0)
  const rushed = await measured('the same, agents that take no time', () => 0)
  return [working, { ...rushed, bound: 'none: no core is ever free', ok: true }]
}

async function measured(name: string, msOf: (index: number) => number): Promise<BenchResult> {
  const bare = await bareSlots(trivialTasks(BARE_TASKS, msOf))
  const ours = await engineSlots(trivialTasks(TASKS, msOf))
  const [value, baseline] = [p99(ours, 'beyondMs'), p99(bare, 'beyondMs')]
  const typical = `p50 ${p50(ours, 'beyondMs')} against ${p50(bare, 'beyondMs')}`
  const undelayed = `on a processor of its own ${p50(ours, 'undelayedMs')}, p99 ${p99(ours, 'undelayedMs').toFixed(1)}`
  const git = [ours, bare].map((slots) => `${p50(slots, 'gitMs')} in ${p50(slots, 'commands')} commands`)
  return {
    name,
    value,
    baseline,
    ratio: value / baseline,
    bound: `≤ ${BEYOND_GIT_MS_MAX} ms at p99`,
    ok: value <= BEYOND_GIT_MS_MAX,
    note: `ms, p99 of ${ours.length} slots against a bare loop; ${typical}; ${undelayed}; git ${git.join(' against ')}`,
  }
}

interface Slot {
  readonly gitMs: number
  readonly commands: number
  readonly beyondMs: number
  /** The same, had no other process wanted the processor. */
  readonly undelayedMs: number
}

function p99(slots: readonly Slot[], what: keyof Slot): number {
  return percentile(
    slots.map((slot) => slot[what]),
    0.99,
  )
}

function p50(slots: readonly Slot[], what: keyof Slot): string {
  return String(Number(median(slots.map((slot) => slot[what])).toFixed(1)))
}

async function engineSlots(tasks: readonly TrivialTask[]): Promise<readonly Slot[]> {
  const project = makeProject(trivialFiles(tasks))
  const traces = project.traceGit()
  const watch = new ProcessWatch()
  const freed = new FreedSlots()
  try {
    const settings = (loadSettings({ file: null, text: trivialFiles(tasks)['longhaul.yaml'] ?? '' }) as LoadedSettings)
      .settings
    const backlog = { milestones: [], tasks: asTasks(tasks) }
    await driveHere(project, watch, freed, [
      {
        kind: 'open-run',
        run: RUN,
        target: 'main',
        spentBefore: {},
        samplesBefore: {},
        knowledgeBefore: [],
        proposalsBefore: [],
      },
      { kind: 'adopt-settings', values: settings, digest: 'bench' },
      { kind: 'add-tasks', backlog, attemptsBefore: {} },
    ])
    return slotsFrom(freed.for, watch.seen, attemptStarted, traces)
  } finally {
    watch.stop()
    project.remove()
  }
}

async function bareSlots(tasks: readonly TrivialTask[]): Promise<readonly Slot[]> {
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
    const isAgent = ({ command, owner }: SeenProcess) => (command.includes(agentFile()) ? owner : null)
    return slotsFrom(begun, watch.seen, isAgent, traces)
  } finally {
    watch.stop()
    project.remove()
  }
}

/** Works off a run with the real adapters; workspaces are made in the names of their attempts. */
async function driveHere(
  { repository, env }: Project,
  watch: ProcessWatch,
  freed: FreedSlots,
  requests: readonly Request[],
): Promise<void> {
  const { tools, store, close } = await openAdapters(repository, env)
  const { workspaces } = tools
  const ports: PortsInUse = {
    ...tools,
    workspaces: {
      ...workspaces,
      ensure: (spec, ...more) => watch.inNameOf(spec.attempt, () => workspaces.ensure(spec, ...more)),
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
  const engine = new RunEngine({ ports, run: RUN, pid: process.pid, noWait: true })
  await engine.open()
  for (const [index, request] of requests.entries()) await engine.request(`q${index}` as RequestId, request)
  const end = await engine.drive()
  await engine.close()
  await close()
  if (end.kind !== 'outlook' || end.outlook.kind !== 'ended')
    throw new Error(`the run is not over: ${JSON.stringify(end)}`)
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

// The launcher is told where to record the process, in a folder named after the attempt.
function attemptStarted({ command }: SeenProcess): string | null {
  return (
    command.map((part) => /([^/]+)\/pids\/round-1\.pid$/.exec(part)?.[1] ?? null).find((name) => name !== null) ?? null
  )
}

function slotsFrom(
  freed: ReadonlyMap<string, Instant>,
  seen: readonly SeenProcess[],
  agentOf: (process: SeenProcess) => string | null,
  traces: string,
): readonly Slot[] {
  const times = gitTimes(traces)
  const agents = new Map(seen.flatMap((process) => (agentOf(process) === null ? [] : [[agentOf(process), process]])))
  return [...freed].map(([owner, from]) => {
    const agent = agents.get(owner)
    if (agent === undefined) throw new Error(`no agent was started for ${owner}`)
    const isOurs = ({ owner: whose, command, made }: SeenProcess) =>
      whose === owner && command[0] === 'git' && made.at < agent.started.at
    return slotBetween(from, agent.started, seen.filter(isOurs), times)
  })
}

function slotBetween(from: Instant, to: Instant, commands: readonly SeenProcess[], times: GitTimes): Slot {
  const git = commands.map(({ made, command }) => {
    const later = (times.get(commandKey(command)) ?? []).filter((time) => time.from > made.at)
    return { from: made.at, to: Math.min(...later.map((time) => time.to)) }
  })
  const marks = [from, ...commands.map(({ made }) => made), to]
  const stretches = marks.slice(1).map((end, index) => {
    const begin = marks[index] ?? from
    const ms = end.at - begin.at
    const gitMs = coveredMs(git, begin.at, end.at)
    return {
      gitMs,
      beyondMs: ms - gitMs,
      delayedMs: ms === 0 ? 0 : ((ms - gitMs) / ms) * (end.delayed - begin.delayed),
    }
  })
  const sum = (what: keyof (typeof stretches)[number]) => stretches.reduce((all, stretch) => all + stretch[what], 0)
  const beyondMs = sum('beyondMs')
  return { gitMs: sum('gitMs'), commands: commands.length, beyondMs, undelayedMs: beyondMs - sum('delayedMs') }
}

/** How much of a stretch of time lies in at least one of the spans, which are in the order of their beginnings. */
function coveredMs(spans: readonly { readonly from: number; readonly to: number }[], from: number, to: number): number {
  let [covered, until] = [0, from]
  for (const span of spans) {
    const [begin, end] = [Math.max(span.from, until), Math.min(span.to, to)]
    if (end <= begin) continue
    covered += end - begin
    until = end
  }
  return covered
}
