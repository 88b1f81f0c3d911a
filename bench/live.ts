import { openSync, writeSync } from 'node:fs'
import picocolors from 'picocolors'
import type { AttemptEvent } from '../src/core/model/attempt-event.ts'
import {
  type AttemptId,
  attemptIdOf,
  attemptLedger,
  type LedgerId,
  type RunId,
  runLedger,
  type TaskId,
} from '../src/core/model/ids.ts'
import type { RunEvent } from '../src/core/model/run-event.ts'
import type { Repository, State } from '../src/ports/repository.ts'
import type { Store } from '../src/ports/store.ts'
import { adapters } from '../src/registry.ts'
import { LiveView } from '../src/surfaces/cli/live/live-view.ts'
import type { Terminal } from '../src/surfaces/cli/terminal.ts'
import type { World } from '../src/surfaces/cli/world.ts'
import { opened, roundStarted, SESSION } from '../test/given/given-attempt.ts'
import { givenTask, landed, openedRun, started } from '../test/given/given-run.ts'
import { makeProject } from './project.ts'
import { clock, good } from './real-adapters.ts'
import { type BenchResult, median, spread } from './result.ts'

const AGENTS = 10
const TASKS = 300
const DONE = 100
const EVENTS_PER_SECOND = 50
const ACTIVITIES_PER_SECOND = 2
const SECONDS = 6
const ROUNDS = 3
const SHARE_MAX = 3
const RUN = 'r1' as RunId

// Ten agents work in a run of three hundred tasks, with fifty facts a second and activities twice a second, as an engine
// writes them. The baseline has no view open. The view is the one that `run` opens, on a terminal of 200 × 50 whose output
// is discarded.

/** Measures the processor time of a live view beyond that of recording. */
export async function benchLive(): Promise<BenchResult[]> {
  const project = makeProject({ 'longhaul.yaml': 'gates: []\n' })
  const place = good(await adapters.find(project.repository, project.env))
  const state = good(await place.openState())
  try {
    const writer = await openWriter(state.store)
    const [bare, seen]: [number[], number[]] = [[], []]
    let frames = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await shareOf(writer, state, () => {}))
      const terminal = nowhere()
      const view = openView(place, state, terminal)
      seen.push(await shareOf(writer, state, () => view.wake()))
      view.close()
      frames += terminal.writes()
    }
    return [result(bare, seen, frames / ROUNDS / SECONDS)]
  } finally {
    await state.store.close()
    project.remove()
  }
}

function result(bare: readonly number[], seen: readonly number[], framesPerSecond: number): BenchResult {
  const [value, baseline] = [median(seen) - median(bare), median(bare)]
  const shares = `${spread(seen, 1)} with it, ${spread(bare, 1)} without`
  return {
    name: `live view, ${AGENTS} agents, ${EVENTS_PER_SECOND} events/s`,
    value,
    baseline,
    ratio: value / baseline,
    bound: `≤ ${SHARE_MAX} % of a core`,
    ok: value <= SHARE_MAX,
    note: `% of a core beyond the recording, medians of ${ROUNDS} × ${SECONDS} s (${shares}); ${framesPerSecond.toFixed(1)} frames/s`,
  }
}

/** Measures this process's share of a core, in percent, while facts are recorded at their usual pace. */
async function shareOf(writer: Writer, { activities }: State, recorded: () => void): Promise<number> {
  const [startedAt, used] = [performance.now(), process.cpuUsage()]
  const endsAt = startedAt + SECONDS * 1000
  for (let count = 0; performance.now() < endsAt; count += 1) {
    await writer.usage(count % AGENTS)
    if (count % (EVENTS_PER_SECOND / ACTIVITIES_PER_SECOND) < AGENTS) {
      const at = clock.now()
      const activity = { kind: 'tool', name: count % 2 === 0 ? 'Bash' : 'Edit' } as const
      activities.show({
        attempt: attemptOf(count % AGENTS),
        round: 1,
        activity,
        since: at,
        heardAt: at,
        signs: count,
        at,
      })
    }
    recorded()
    const due = startedAt + ((count + 1) * 1000) / EVENTS_PER_SECOND
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
  }
  const { user, system } = process.cpuUsage(used)
  return (user + system) / 10 / (performance.now() - startedAt)
}

function openView(place: Repository, state: State, terminal: Terminal): LiveView {
  return new LiveView({
    repository: place,
    state,
    terminal,
    run: RUN,
    seat: 'run',
    colors: picocolors.createColors(true),
    world: { clock } as World,
    isDriven: async () => true,
    newestRun: async () => RUN,
    ask: async () => '',
    interrupted() {},
    left() {},
  })
}

function nowhere(): Terminal & { writes(): number } {
  const file = openSync('/dev/null', 'w')
  let count = 0
  return {
    size: () => ({ columns: 200, rows: 50 }),
    write(text) {
      count += 1
      writeSync(file, text)
    },
    take: () => () => {},
    onExit: () => () => {},
    stop: () => {},
    onBack: () => () => {},
    writes: () => count,
  }
}

interface Writer {
  usage(agent: number): Promise<void>
}

async function openWriter(store: Store): Promise<Writer> {
  const tasks = Array.from({ length: TASKS }, (_, index) => givenTask(`t${index}`))
  const history = tasks.slice(0, DONE).flatMap(({ id }) => landed(id))
  const going = Array.from({ length: AGENTS }, (_, agent) => started(`t${DONE + agent}`))
  const engine: RunEvent = { kind: 'engine-started', pid: process.pid }
  await appender(store, runLedger(RUN))([...openedRun(tasks), engine, ...history, ...going])
  const agents = await Promise.all(going.map((_, agent) => openAgent(store, agent)))
  let message = 0
  return {
    async usage(agent) {
      message += 1
      const tokens = { input: 1_000, cacheRead: 50_000 + message, cacheWrite: 200, output: 900 }
      const usage = {
        session: SESSION,
        message: `m${message}`,
        model: 'opus',
        scope: 'main',
        hourCacheWrite: 0,
        tokens,
        window: 200_000,
      } as const
      await agents[agent]?.([{ kind: 'usage-observed', usage, usd: 0.05, day: '2026-01-01' }])
    },
  }
}

type Append = (events: readonly (RunEvent | AttemptEvent)[]) => Promise<void>

async function openAgent(store: Store, agent: number): Promise<Append> {
  const append = appender(store, attemptLedger(attemptOf(agent)))
  await append([...opened(), roundStarted(1)])
  return append
}

function attemptOf(agent: number): AttemptId {
  return attemptIdOf(`t${DONE + agent}` as TaskId, 1)
}

function appender(store: Store, ledger: LedgerId): Append {
  let standing: { readonly epoch: number; seq: number } | null = null
  return async (events) => {
    standing ??= { epoch: (await store.claim(ledger)).epoch, seq: 0 }
    const { epoch, seq: after } = standing
    const appended = await store.append({ ledger, epoch, after, at: clock.now(), events })
    if (appended.kind === 'conflict') throw new Error(appended.reason)
    standing.seq = appended.seq
  }
}
