import type { WaitFor } from '../../../src/core/model/attempt.ts'
import type { Answer } from '../../../src/core/model/attempt-event.ts'
import type { RequestId, TaskId } from '../../../src/core/model/ids.ts'
import type { Request } from '../../../src/core/model/input.ts'
import { problem } from '../../../src/core/model/problem.ts'
import { type EngineEnd, RunEngine } from '../../../src/engine/run-engine.ts'
import { problemFrom } from '../../../src/engine/running-effects.ts'
import { stateMachines } from '../../../src/engine/state-machines.ts'
import type { Store } from '../../../src/ports/store.ts'
import { faultyPorts } from './faulty-ports.ts'
import { Life } from './life.ts'
import type { Random } from './random.ts'
import { scenarioOf } from './scenario.ts'
import { DEAD, GATE_SCRIPT } from './sim-gate.ts'
import { watchedMachines } from './watched-machines.ts'
import { RUN, World, type WorldParts } from './world.ts'

const STEPS_MAX = 30_000

/** A finished simulation: its world and how the last engine ended. */
export interface Playthrough {
  readonly world: World
  readonly end: EngineEnd | null
  readonly steps: number
}

/** Replacements with which a test breaks the program on purpose. */
export type Breaks = Partial<WorldParts>

const UNBROKEN: WorldParts = {
  pure: stateMachines,
  store: (store) => store,
  locks: (locks) => locks,
  trouble: (problem) => problem,
}

/** Plays one seed: engines start and crash, agents work, a person occasionally helps. */
export async function play(seed: number, breaks: Breaks = {}): Promise<Playthrough> {
  const world = new World(seed, scenarioOf(seed), { ...UNBROKEN, ...breaks })
  const supervisor = new Supervisor(world)
  await supervisor.open()
  let steps = 0
  for (; steps < STEPS_MAX && supervisor.end === null; steps += 1) {
    await flushPending()
    supervisor.collectEnded()
    if (!world.time.advance()) supervisor.reportDeadlock()
    supervisor.disturb()
  }
  await flushPending()
  return { world, end: supervisor.end, steps }
}

/** Runs everything that is pending without a timer. */
function flushPending(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Starts one engine after another, occasionally a second at the same time, and plays the user. */
class Supervisor {
  end: EngineEnd | null = null
  readonly #world: World
  readonly #engines = new Map<Life, RunEngine>()
  readonly #ended: { readonly life: Life; readonly end: EngineEnd }[] = []
  #lives = 0
  #requests = 0
  #helpsLeft: number
  #isStarting = false
  #isResuming = false
  #isUserBusy = true

  constructor(world: World) {
    this.#world = world
    this.#helpsLeft = world.scenario.helpsMax
  }

  /** Records the backlog and starts the first engine. */
  async open(): Promise<void> {
    await this.#record([
      {
        kind: 'open-run',
        run: RUN,
        target: 'main',
        spentBefore: {},
        samplesBefore: {},
        knowledgeBefore: [],
        proposalsBefore: [],
      },
      { kind: 'adopt-settings', values: this.#world.scenario.settings, digest: 'first' },
      { kind: 'add-tasks', backlog: this.#world.scenario.backlog, attemptsBefore: {} },
    ])
    this.#start()
  }

  /** Removes engines that have ended or died. */
  collectEnded(): void {
    for (const life of Array.from(this.#engines.keys())) if (!life.isAlive) this.#engines.delete(life)
    for (const { life, end } of this.#ended.splice(0)) {
      if (!this.#engines.delete(life)) continue
      life.kill()
      this.#world.trace.engineEnds.push(end.kind === 'settled' ? end.condition.kind : end.kind)
      this.#afterEnd(end)
    }
    if (this.#engines.size === 0 && this.end === null && !this.#isStarting) this.#startLater()
  }

  /** Ends the simulation: no timer is left, so nothing would ever happen again. */
  reportDeadlock(): void {
    if (this.#engines.size === 0) return
    const message = 'nothing is due and no engine has ended'
    this.end = { kind: 'halted', problem: problem({ code: 'unexpected', message, hint: '', retry: 'never' }) }
  }

  /** Injects what the user and the machine do at random. */
  disturb(): void {
    const world = this.#world
    if (world.strikes('jump', 'clock')) world.time.jump(world.random.below(7_200_000) - 3_600_000)
    if (world.strikes('second-engine', 'start')) this.#startSecond()
    this.#disturbStorage()
    if (!this.#isUserBusy) return
    if (world.random.chance(world.scenario.requestChance)) this.#sendRandomRequest()
    if (world.random.chance(0.004)) world.userCommits(`user-${world.random.below(1000)}.txt`, 'by hand')
    if (world.scenario.meddles && world.random.chance(0.002)) world.userCommits(GATE_SCRIPT, DEAD)
    if (world.random.chance(0.004)) world.checkout.isDirty = !world.checkout.isDirty
  }

  /** Takes the state away under a live engine, whereupon the user tries to start another, or makes the disk read-only. */
  #disturbStorage(): void {
    const world = this.#world
    if (this.#engines.size === 0 || !world.storage.isUsable) return
    if (world.strikes('read-only', 'disk')) world.refuseWrites()
    else if (world.strikes('vanish', 'state')) {
      world.loseState()
      world.time.after(world.random.below(300), () => this.#startSecond())
    }
  }

  #afterEnd(end: EngineEnd): void {
    if (end.kind !== 'settled') return
    const isOver = end.condition.kind === 'ended' || (end.condition.kind === 'waiting' && this.#helpsLeft === 0)
    this.#isUserBusy = false
    this.#world.checkout.isDirty = false
    if (isOver) this.end = end
    else if (end.condition.kind === 'waiting') this.#endOnFailure(this.#help())
  }

  /** Plays a person who does what the run waits for and starts it again. */
  async #help(): Promise<void> {
    this.#helpsLeft -= 1
    this.#isStarting = true
    const state = await this.#world.foldRun()
    this.#world.repairGate()
    const held = [...state.tasks.values()].filter(({ standing }) => standing === 'needs-person')
    const { budget } = this.#world.scenario.settings
    const raised = { ...budget, runUsd: null, dayUsd: null, taskUsd: budget.taskUsd === null ? null : 100 }
    await this.#record([
      {
        kind: 'adopt-settings',
        values: { ...this.#world.scenario.settings, budget: raised },
        digest: `help ${this.#helpsLeft}`,
      },
      ...held.map(({ task, live }) => {
        const wait = live === null ? null : (state.attempts.get(live)?.wait ?? null)
        return requestToUnblock(task.id, wait, this.#world.random)
      }),
    ])
    this.#isStarting = false
    this.#start()
  }

  /** Plays a person who sends a request to the running engine. */
  #sendRandomRequest(): void {
    const { random, scenario } = this.#world
    const task = random.pick(scenario.backlog.tasks).id
    const text = `note ${this.#requests};`
    const request = random.pick<Request>([
      { kind: 'pause' },
      { kind: 'skip', task },
      { kind: 'stop-task', task },
      ...[1, 2, 3].map((): Request => ({ kind: 'steer', task, text })),
    ])
    // The resume that is pending might overtake another pause.
    if (request.kind === 'pause' && this.#isResuming) return
    // Everything but a pause is refused for a task that has landed.
    this.#sendRequest((request.kind === 'pause' ? null : this.#requestToUndo(task)) ?? request)
    if (request.kind === 'pause') this.#resumeLater()
  }

  /** Reverts a landed task, or rather one that it rests on, and retries a reverted one; null for other tasks. */
  #requestToUndo(picked: TaskId): Request | null {
    const [engine] = this.#engines.values()
    const record = engine?.state.tasks.get(picked)
    if (record?.standing === 'reverted') return { kind: 'retry', task: picked }
    if (engine === undefined || record?.standing !== 'done') return null
    const task = record.task.after.find((id) => engine.state.tasks.get(id)?.standing === 'done') ?? picked
    const dependents = this.#requests % 2 === 0 ? 'revert' : 'refuse'
    return { kind: 'revert', task, dependents, resting: [], carried: [] }
  }

  /** Resumes a paused run later, however many engines die in the meantime. */
  #resumeLater(): void {
    this.#isResuming = true
    this.#world.time.after(1_000 + this.#world.random.below(29_000), () => this.#endOnFailure(this.#resume()))
  }

  async #resume(): Promise<void> {
    this.#isResuming = false
    if ((await this.#world.foldRun()).pausedAt === null || this.end !== null) return
    this.#sendRequest({ kind: 'resume' })
    this.#resumeLater()
  }

  /** Ends the simulation when an action fails, for example because the ledger cannot be read. */
  #endOnFailure(doing: Promise<void>): void {
    doing.catch((cause) => {
      this.end = haltedBy(cause)
    })
  }

  #sendRequest(request: Request): void {
    const [engine] = this.#engines.values()
    this.#requests += 1
    // An engine that has not opened its ledger yet, or has died, never answers.
    if (engine !== undefined && engine.state.id !== null) {
      void engine.request(`r${this.#requests}` as RequestId, request).catch(() => {})
    }
  }

  /** Records requests with no engine running, as the command line does. */
  async #record(requests: readonly Request[]): Promise<void> {
    const life = this.#newLife()
    this.#world.storage.repair()
    const { engine } = this.#engine(life, false)
    await this.#settleWithTime(engine.open())
    for (const request of requests) {
      this.#requests += 1
      await this.#settleWithTime(engine.request(`r${this.#requests}` as RequestId, request))
    }
    life.kill()
  }

  /** Waits for a promise and lets simulated time pass. */
  async #settleWithTime<T>(promise: Promise<T>): Promise<T> {
    let isOver = false
    const watched = promise.finally(() => {
      isOver = true
    })
    while (!isOver) {
      await flushPending()
      if (!isOver && !this.#world.time.advance()) break
    }
    return watched
  }

  #startLater(): void {
    this.#isStarting = true
    this.#world.time.after(this.#world.random.below(3_000), () => {
      this.#isStarting = false
      this.#start()
    })
  }

  #startSecond(): void {
    if (!this.#isStarting && this.end === null) this.#start()
  }

  #start(): void {
    const { storage, scenario } = this.#world
    const life = this.#newLife()
    if (!storage.isUsable || !(storage.acquire(life) || scenario.isLeaseBroken)) return
    const { engine, store } = this.#engine(life, true)
    this.#engines.set(life, engine)
    this.#drive(life, engine, store).catch((cause) => this.#ended.push({ life, end: haltedBy(cause) }))
  }

  async #drive(life: Life, engine: RunEngine, store: Store): Promise<void> {
    await engine.open()
    store.watchFiles((problem) => life.isAlive && engine.halt(problem))
    const end = await engine.drive()
    await engine.close()
    if (end.kind === 'halted') this.#world.excuseUnrecordedUsage(life)
    if (life.isAlive) this.#ended.push({ life, end })
  }

  #newLife(): Life {
    this.#lives += 1
    return new Life(this.#lives)
  }

  #engine(life: Life, isFaulty: boolean): { readonly engine: RunEngine; readonly store: Store } {
    const world = this.#world
    const live = { run: null, attempts: new Map() }
    world.live.set(life.number, live)
    const pure = isFaulty ? watchedMachines(world.pure, live, world.random, world.trace) : world.pure
    const ports = faultyPorts(isFaulty ? world : withoutFaults(world), life)
    const engine = new RunEngine({
      ports,
      run: RUN,
      pid: life.number,
      noWait: false,
      stateMachines: pure,
    })
    return { engine, store: ports.store }
  }
}

/** Returns the request with which a person answers a waiting task. */
function requestToUnblock(task: TaskId, wait: WaitFor | null, random: Random): Request {
  const retry: Request = { kind: 'retry', task }
  if (wait?.kind !== 'person' || wait.asks === 'act') return retry
  const say = (kind: Answer['kind']): Request => ({ kind: 'answer', task, answer: { kind, text: 'agreed' } })
  return random.pick(wait.asks === 'answer' ? [say('answered'), retry] : [say('approved'), say('rejected'), retry])
}

/** Ends with the problem that an exception carries. */
function haltedBy(cause: unknown): EngineEnd {
  return { kind: 'halted', problem: problemFrom(cause, 'opening') }
}

/** Returns a view of the world in which no fault occurs. */
function withoutFaults(world: World): World {
  return new Proxy(world, {
    get: (target, key) => (key === 'strikes' ? () => false : Reflect.get(target, key, target)),
  })
}
