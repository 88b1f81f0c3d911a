import { loadSettings } from '../src/config/load.ts'
import type { AttemptId, LedgerId, RequestId, RunId } from '../src/core/model/ids.ts'
import type { Request } from '../src/core/model/input.ts'
import type { RunEvent } from '../src/core/model/run-event.ts'
import type { Settings } from '../src/core/model/settings.ts'
import { agentFile } from '../src/drivers/scripted/agent-file.ts'
import { RunEngine } from '../src/engine/drive-run.ts'
import type { PortsInUse } from '../src/engine/ports-in-use.ts'
import type { AppendBatch } from '../src/ports/store.ts'
import { adapters } from '../src/registry.ts'
import { bareLoop } from './bare-loop.ts'
import { good, realClock } from './hold-run.ts'
import { makeProject, type Project } from './project.ts'
import { type BenchResult, median, percentile } from './result.ts'
import { asTasks, PARALLEL, trivialFiles, trivialTasks } from './trivial-tasks.ts'
import { gitEnds, ProcessWatch, type SeenProcess } from './watch-processes.ts'

const TASKS = 103
const BEYOND_GIT_MS_MAX = 20
const RUN = '2026-01-01-0000-slot' as RunId

// A slot is free when "ready-to-land" is durable in the ledger of the attempt that held it. The next agent is started
// when its process is there: the launcher that becomes bwrap, then Node. In between, git makes the new workspace; a git
// command's own time goes from the moment before its process is made to the end that it writes into its own trace, so
// that nothing which the engine does late counts as git's. The rest is ours: two ledgers, decisions, looking for
// processes left over, small files, waiting for the event loop, making the agent's process. The baseline is the same for
// a loop that keeps no ledger and looks for nothing: what the machine's other work costs anybody.

/** From a slot that becomes free to the next agent's process, without git's own time. */
export async function benchSlot(): Promise<BenchResult[]> {
  const bare = await bareSlots()
  const ours = await engineSlots()
  const [value, baseline] = [percentile(ours.beyond, 0.99), percentile(bare.beyond, 0.99)]
  const p50 = `p50 ${median(ours.beyond).toFixed(1)} against ${median(bare.beyond).toFixed(1)}`
  const git = `git p50 ${median(ours.git).toFixed(0)} in ${median(ours.commands)} commands against ${median(bare.git).toFixed(0)} in ${median(bare.commands)}`
  return [
    {
      name: 'slot freed to agent started, beyond git',
      value,
      baseline,
      ratio: value / baseline,
      bound: `≤ ${BEYOND_GIT_MS_MAX} ms at p99`,
      ok: value <= BEYOND_GIT_MS_MAX,
      note: `ms, p99 of ${ours.beyond.length} slots against a bare loop; ${p50}, max ${Math.max(...ours.beyond).toFixed(0)}; ${git}`,
    },
  ]
}

/** For each slot: milliseconds beyond git's own, git's own, and how many git commands there were. */
interface Slots {
  readonly beyond: readonly number[]
  readonly git: readonly number[]
  readonly commands: readonly number[]
}

async function engineSlots(): Promise<Slots> {
  const tasks = trivialTasks(TASKS)
  const project = makeProject(trivialFiles(tasks))
  const traces = project.traceGit()
  const watch = new ProcessWatch()
  const freed = new FreedSlots()
  try {
    const settings = loadSettings({ file: null, text: trivialFiles(tasks)['longhaul.yaml'] ?? '' }) as Settings
    const backlog = { milestones: [], tasks: asTasks(tasks) }
    await driveHere(project, watch, freed, [
      { kind: 'open-run', run: RUN, target: 'main', spentBefore: {} },
      { kind: 'adopt-settings', values: settings, digest: 'bench' },
      { kind: 'add-tasks', backlog, attemptsBefore: {} },
    ])
    return slotsFrom(freed.for, watch.seen, attemptStarted, traces)
  } finally {
    watch.stop()
    project.remove()
  }
}

async function bareSlots(): Promise<Slots> {
  const tasks = trivialTasks(TASKS)
  const project = makeProject(trivialFiles(tasks))
  const traces = project.traceGit()
  const watch = new ProcessWatch()
  const begun = new Map<string, number>()
  try {
    await bareLoop(project, tasks, (task, work) => {
      begun.set(task, performance.now())
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
  const place = good(await adapters.find(repository, env))
  const tools = good(await place.openTools(realClock, 'all'))
  const { store } = good(await place.openState())
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
  await tools.close()
  await store.close()
  if (end.kind !== 'outlook' || end.outlook.kind !== 'ended')
    throw new Error(`the run is not over: ${JSON.stringify(end)}`)
}

/** Knows for each attempt when the slot that it got became free. */
class FreedSlots {
  readonly for = new Map<string, number>()
  readonly #readyAt = new Map<LedgerId, number>()
  readonly #free: number[] = []

  appended({ ledger, events }: AppendBatch): void {
    if (events.some(({ kind }) => kind === 'ready-to-land')) this.#readyAt.set(ledger, performance.now())
    if (!ledger.startsWith('run/')) return
    for (const event of events as readonly RunEvent[]) {
      if (event.kind === 'attempt-ready') this.#free.push(this.#readyAt.get(ledgerOf(event.attempt)) ?? Number.NaN)
      const at = event.kind === 'attempt-started' ? this.#free.shift() : undefined
      if (event.kind === 'attempt-started' && at !== undefined) this.for.set(event.attempt, at)
    }
  }
}

function ledgerOf(attempt: AttemptId): LedgerId {
  return `attempt/${attempt}` as LedgerId
}

// The launcher is told where to record the process, in a folder named after the attempt.
function attemptStarted({ command }: SeenProcess): string | null {
  return (
    command.map((part) => /([^/]+)\/pids\/round-1\.pid$/.exec(part)?.[1] ?? null).find((name) => name !== null) ?? null
  )
}

function slotsFrom(
  freedAt: ReadonlyMap<string, number>,
  seen: readonly SeenProcess[],
  agentOf: (process: SeenProcess) => string | null,
  traces: string,
): Slots {
  const ends = gitEnds(traces)
  const agents = new Map(seen.flatMap((process) => (agentOf(process) === null ? [] : [[agentOf(process), process]])))
  const slots = [...freedAt].map(([owner, freed]) => {
    const startedAt = agents.get(owner)?.startedAt ?? Number.NaN
    const commands = seen.filter((one) => one.owner === owner && one.command[0] === 'git' && one.madeAt < startedAt)
    const git = commands.reduce((sum, { pid, madeAt }) => sum + endAfter(ends.get(pid) ?? [], madeAt) - madeAt, 0)
    return { git, beyond: startedAt - freed - git, commands: commands.length }
  })
  return {
    beyond: slots.map(({ beyond }) => beyond),
    git: slots.map(({ git }) => git),
    commands: slots.map(({ commands }) => commands),
  }
}

function endAfter(ends: readonly number[], madeAt: number): number {
  return Math.min(...ends.filter((end) => end > madeAt))
}
