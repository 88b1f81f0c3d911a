import { parseShell } from '../../../src/adapters/gates/parse-shell.ts'
import { inProcessLane } from '../../../src/adapters/lanes/in-process.ts'
import type { Commit } from '../../../src/core/model/ids.ts'
import { ProblemError, problem } from '../../../src/core/model/problem.ts'
import type { AgentEvent } from '../../../src/ports/agent-driver.ts'
import type { EnginePorts } from '../../../src/ports/engine-ports.ts'
import type { AppendBatch, Store } from '../../../src/ports/store.ts'
import { type Life, never } from './life.ts'
import type { World } from './world.ts'

/** Ports of one simulated engine: calls take time, and the engine may die before, during and after each. */
export function faultyPorts(world: World, life: Life): EnginePorts {
  const store = world.brokenStore(world.storage.open())
  return {
    store: faultyStore(world, life, store),
    clock: lifeClock(world, life),
    workspaces: faulty(world, life, 'workspaces', watchedWorkspaces(world)),
    landing: faulty(world, life, 'landing', watchedLanding(world)),
    gate: faulty(world, life, 'gate', world.gate),
    parseShell,
    lane: inProcessLane(),
    transcripts: { write: () => {}, close: () => {} },
    knowledgePage: { write: () => {} },
    protection: { kind: 'sandbox', level: 'standard' },
    activities: { show: () => {}, forget: () => {}, clear: () => {}, read: () => new Map() },
    agentTools: faulty(world, life, 'tools', toolsWhileAlive(world, life)),
    driver: () => driverWhileAlive(world, life),
    judge: () => faulty(world, life, 'judge', world.judge),
  }
}

/** Adds latency and crashes to a call; the call of a dead engine never returns. */
async function call<T>(world: World, life: Life, name: string, act: () => Promise<T>): Promise<T> {
  if (!life.isAlive) return never()
  await world.time.sleep(world.latency())
  if (!life.isAlive) return never()
  if (world.strikes('crash', `before ${name}`)) return world.crash(life)
  world.works(life)
  const value = await act()
  if (world.strikes('crash', `after ${name}`)) return world.crash(life)
  await world.time.sleep(world.latency())
  if (!life.isAlive) return never()
  world.works(life)
  return value
}

/** Adds latency and faults to every asynchronous method of a port. */
function faulty<Port extends object>(world: World, life: Life, name: string, port: Port): Port {
  return new Proxy(port, {
    get: (target, key) => {
      const method: unknown = Reflect.get(target, key)
      if (typeof method !== 'function' || SYNCHRONOUS.has(String(key))) return method
      return (...args: unknown[]) =>
        call(world, life, `${name}.${String(key)}`, () => {
          if (MAY_FAIL.has(String(key)) && world.strikes('trouble', String(key)))
            return Promise.resolve(transientProblem(String(key)))
          const refusal = WRITING.has(String(key)) ? world.storage.writeProblem('workspaces') : null
          if (refusal !== null) return Promise.resolve(refusal)
          return Reflect.apply(method, target, args) as Promise<unknown>
        })
    },
  })
}

const SYNCHRONOUS: ReadonlySet<string> = new Set(['folder', 'branchOf', 'environmentDigest'])
const MAY_FAIL: ReadonlySet<string> = new Set([
  'ensure',
  'checkpoint',
  'prepare',
  'advance',
  'checkOut',
  'followTarget',
])

/** Methods of workspaces that write to their disk. */
const WRITING: ReadonlySet<string> = new Set(['ensure', 'checkpoint', 'checkOut', 'release', 'discard'])

function transientProblem(operation: string) {
  return problem({ code: 'git-failed', message: `${operation} failed.`, hint: 'Try again.', retry: 'later' })
}

function lifeClock(world: World, life: Life): EnginePorts['clock'] {
  const clock = world.time.clock()
  return { ...clock, after: (ms, wake) => clock.after(ms, () => life.isAlive && wake()) }
}

function faultyStore(world: World, life: Life, store: Store): Store {
  return {
    ...store,
    claim: (ledger) =>
      call(world, life, 'claim', async () => {
        world.trace.claims.push({ life: life.number, ledger, appendsBefore: world.trace.appends.length })
        return store.claim(ledger)
      }),
    append: (batch) => call(world, life, 'append', () => append(world, life, store, batch)),
    receipts: (key) => call(world, life, 'receipts', async () => store.receipts(key)),
    read: (ledger, after, filter) => chunksWhileAlive(life, store.read(ledger, after, filter)),
  }
}

async function append(world: World, life: Life, store: Store, batch: AppendBatch) {
  if (world.strikes('full-disk', 'append')) {
    throw new ProblemError(
      problem({ code: 'disk-full', message: 'The disk is full.', hint: 'Free some.', retry: 'later' }),
    )
  }
  const result = await store.append(batch)
  if (result.kind === 'conflict') return result
  world.trace.appends.push({ life: life.number, ledger: batch.ledger, at: batch.at, events: batch.events })
  if (world.strikes('torn', 'append')) throw new ProblemError(refusedAfterwards())
  await world.compareFold(life, batch.ledger)
  return result
}

// The engine cannot know that its facts are stored.
function refusedAfterwards() {
  const message = 'The state could not be written.'
  return problem({ code: 'state-unwritable', message, hint: 'See the disk.', retry: 'later' })
}

async function* chunksWhileAlive<T>(life: Life, chunks: AsyncIterable<T>): AsyncIterable<T> {
  for await (const chunk of chunks) {
    if (!life.isAlive) await never()
    yield chunk
  }
}

/** Delivers tool calls to an engine while it lives; calls that it acknowledged are traced. */
function toolsWhileAlive(world: World, life: Life): EnginePorts['agentTools'] {
  return {
    grantAccess: async ({ attempt, round, answer }) => {
      const token = `${life.number} ${attempt} ${round}`
      world.toolListeners.set(token, (call) => {
        if (!life.isAlive) return
        // An engine that dies in the meantime never answers.
        void answer(call).then(
          ({ isRefused }) => life.isAlive && !isRefused && world.trace.calls.push({ attempt, round, call }),
          () => {},
        )
      })
      return { url: '', token, listener: null, revoke: () => void world.toolListeners.delete(token) }
    },
  }
}

/** Delivers an agent's events to an engine while it lives; the agent outlives a dead engine. */
function driverWhileAlive(world: World, life: Life) {
  const { agent } = world
  return {
    ...agent,
    start: (spec: Parameters<typeof agent.start>[0]) => {
      const { attempt } = spec.order
      const agents = [...world.disk.processes]
      const others = agents.filter((process) => process.workspace === spec.folder).length
      const slots = world.slots
      world.trace.rounds.push({
        life: life.number,
        attempt,
        others,
        agents: agents.length + 1,
        slots,
        order: spec.order,
      })
      const round = agent.start(spec)
      return { ...round, events: eventsWhileAlive(world, life, round.events) }
    },
  }
}

async function* eventsWhileAlive(
  world: World,
  life: Life,
  events: AsyncIterable<AgentEvent>,
): AsyncIterable<AgentEvent> {
  for await (const event of events) {
    if (!life.isAlive) await never()
    world.works(life)
    if (event.kind === 'usage')
      world.trace.usageReceived.push({ usage: event.usage, life: life.number, isExcused: false })
    yield event
  }
}

function watchedLanding(world: World): EnginePorts['landing'] {
  const { landing, trace } = world
  return {
    ...landing,
    advance: async (id, target, from, to) => {
      const before = world.line()
      const result = await landing.advance(id, target, from, to)
      const checked = trace.checks.some(
        (check) => check.tree === world.repository.treeOf(to) && check.place === 'checkout' && check.passed,
      )
      if (world.line() !== before) trace.advances.push({ from: before as Commit, to, at: world.time.now, checked })
      return result
    },
  }
}

function watchedWorkspaces(world: World): EnginePorts['workspaces'] {
  const { workspaces } = world
  return {
    ...workspaces,
    release: (...args) => traceLosses(world, args[0].attempt, () => workspaces.release(...args)),
    discard: (...args) => traceLosses(world, args[0], () => workspaces.discard(...args)),
  }
}

/** Removes a workspace and traces files of it that no ref reaches any more. */
async function traceLosses<T>(world: World, name: string, remove: () => Promise<T>): Promise<T> {
  const before = new Map(world.disk.workspaces.get(name)?.files ?? [])
  const isCheckout = world.disk.workspaces.get(name)?.kind === 'checkout'
  const result = await remove()
  if (world.disk.workspaces.has(name) || isCheckout) return result
  const lost = [...before].filter(([path, text]) => !world.isReachable(path, text)).map(([path]) => path)
  world.trace.removals.push({ name, lost })
  return result
}
