import { emptyMemory, openMemoryStore } from '../../../src/adapters/stores/memory/memory-store.ts'
import {
  type AttemptId,
  attemptLedger,
  type Commit,
  type LedgerId,
  type RunId,
  runLedger,
} from '../../../src/core/model/ids.ts'
import type { ToolCall } from '../../../src/core/model/tool-call.ts'
import type { RunState } from '../../../src/core/run/state.ts'
import type { StateMachines } from '../../../src/engine/state-machines.ts'
import type { AgentDriver } from '../../../src/ports/agent-driver.ts'
import type { Gate } from '../../../src/ports/gate.ts'
import type { Judge } from '../../../src/ports/judge.ts'
import type { Landing } from '../../../src/ports/landing.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Workspaces } from '../../../src/ports/workspaces.ts'
import { canonical } from './canonical.ts'
import { type Life, never } from './life.ts'
import { Random } from './random.ts'
import type { Fault, Scenario } from './scenario.ts'
import { simAgent } from './sim-agent.ts'
import { SimDisk } from './sim-disk.ts'
import { ALIVE, GATE_SCRIPT, isDead, simGate } from './sim-gate.ts'
import { simJudge } from './sim-judge.ts'
import { type SimCheckout, simLanding } from './sim-landing.ts'
import { SimRepository } from './sim-repository.ts'
import { SimTime } from './sim-time.ts'
import { simWorkspaces } from './sim-workspaces.ts'
import { newTrace } from './trace.ts'
import type { LiveStates } from './watched-machines.ts'

export const RUN = 'sim' as RunId
const TARGET = 'refs/heads/main'
const LINE = 'refs/longhaul/landed/main'

/** Everything outside the engines: time, disk, repository, agents, and recorded events. */
export class World {
  readonly random: Random
  readonly time: SimTime
  readonly memory = emptyMemory()
  readonly repository = new SimRepository()
  readonly disk = new SimDisk()
  readonly checkout: SimCheckout = { isDirty: false }
  readonly trace = newTrace()
  readonly scenario: Scenario
  readonly pure: StateMachines
  readonly brokenStore: (store: Store) => Store
  readonly workspaces: Workspaces
  readonly landing: Landing
  readonly agent: AgentDriver
  readonly gate: Gate
  readonly judge: Judge
  readonly live = new Map<number, LiveStates>()
  /** Receivers of tool calls by the agent's token. */
  readonly toolListeners = new Map<string, (call: ToolCall) => void>()

  constructor(seed: number, scenario: Scenario, pure: StateMachines, brokenStore: (store: Store) => Store) {
    this.brokenStore = brokenStore
    this.random = new Random(seed * 7 + 1)
    this.time = new SimTime(this.random)
    this.scenario = scenario
    this.pure = pure
    const { repository, disk, time } = this
    const files = new Map([
      ['README', 'start'],
      [GATE_SCRIPT, ALIVE],
    ])
    repository.refs.set(TARGET, repository.commit(files, [], 'start'))
    this.workspaces = simWorkspaces(repository, disk, () => time.now)
    this.landing = simLanding(repository, this.checkout)
    this.gate = simGate(disk, (seen) => this.trace.checks.push({ ...seen, at: time.now }))
    this.judge = simJudge(this.random, time)
    this.agent = simAgent({
      time,
      disk,
      stepsFor: (order) => scenario.stepsFor(order, this.random, time.now),
      stepMs: () => 200 + this.random.below(2_000),
      acceptsText: () => this.random.chance(0.6),
      onText: ({ attempt, session }, text) => this.trace.textsSent.push({ attempt, session, text }),
      call: ({ token }, call) => this.toolListeners.get(token)?.(call),
      merge: (workspace, prompt) => this.#mergeLanded(workspace, prompt),
    })
  }

  latency(): number {
    return this.random.below(20)
  }

  get slots(): number {
    const { parallel, coding, total } = this.scenario.settings.limits
    return Math.min(parallel, coding, total)
  }

  /** Returns true, and traces it, when a fault occurs here. */
  strikes(fault: Fault, place: string): boolean {
    const share = this.scenario.faults[fault]
    if (share === 0 || !this.random.chance(share)) return false
    const name = `${fault} ${place}`
    this.trace.faults[name] = (this.trace.faults[name] ?? 0) + 1
    return true
  }

  /** Kills an engine in the middle of a call; its agents may survive. */
  crash<T>(life: Life): Promise<T> {
    life.kill()
    this.excuseUnrecordedUsage(life)
    if (!this.strikes('survivor', 'agents'))
      for (const process of Array.from(this.disk.processes)) process.end('killed')
    return never()
  }

  /** Marks usage that this engine received and can no longer record. */
  excuseUnrecordedUsage(life: Life): void {
    for (const entry of this.trace.usageReceived) if (entry.life === life.number) entry.isExcused = true
  }

  line(): Commit | null {
    return this.repository.refs.get(LINE) ?? null
  }

  target(): Commit {
    return this.repository.refs.get(TARGET) as Commit
  }

  userCommits(path: string, text: string): void {
    const at = this.target()
    const files = new Map(this.repository.filesOf(at)).set(path, text)
    this.repository.refs.set(TARGET, this.repository.commit(files, [at], `user: ${path}`))
  }

  /** Restores the gate on the target, as a user does who was shown that it is dead. */
  repairGate(): void {
    if (isDead(this.repository.filesOf(this.target()))) this.userCommits(GATE_SCRIPT, ALIVE)
  }

  /** True when a commit that a ref reaches has this text at this path. */
  isReachable(path: string, text: string): boolean {
    const tips = [...this.repository.refs.values()]
    const seen = new Set<Commit>()
    for (let at = tips.pop(); at !== undefined; at = tips.pop()) {
      if (seen.has(at)) continue
      seen.add(at)
      if (this.repository.filesOf(at).get(path) === text) return true
      tips.push(...this.repository.parentsOf(at))
    }
    return false
  }

  /** Compares a sample of live states with the fold of their ledger. */
  async compareFold(life: Life, ledger: LedgerId): Promise<void> {
    const live = this.live.get(life.number)
    if (live === undefined || !this.random.chance(0.05)) return
    const isRun = ledger === runLedger(RUN)
    const held = isRun ? live.run : [...live.attempts].find(([id]) => attemptLedger(id as AttemptId) === ledger)?.[1]
    if (held === null || held === undefined) return
    const folded = await (isRun ? this.fold(this.pure.run, ledger) : this.fold(this.pure.attempt, ledger))
    const [a, b] = [canonical(held), canonical(folded)]
    if (a !== b) this.trace.folds.push({ ledger, difference: firstDifference(a, b) })
  }

  async fold<State>(
    machine: { initialState(): State; evolve(state: State, event: never, at: number): void },
    ledger: LedgerId,
  ): Promise<State> {
    const state = machine.initialState()
    for await (const chunk of openMemoryStore(this.memory).read(ledger, 0)) {
      for (const { event, at } of chunk) machine.evolve(state, event as never, at)
    }
    return state
  }

  foldRun(): Promise<RunState> {
    return this.fold(this.pure.run, runLedger(RUN))
  }

  /** Merges landed work into a workspace and keeps the agent's own text on conflict. */
  #mergeLanded(name: string, prompt: string): void {
    const workspace = this.disk.workspaces.get(name)
    const landed = /git merge (commit\d+)/.exec(prompt)?.[1] as Commit | undefined
    if (workspace === undefined || landed === undefined) return
    const files = new Map([...this.repository.filesOf(landed), ...workspace.files])
    const mine = this.repository.commit(workspace.files, [workspace.head], 'before the merge')
    workspace.files = files
    workspace.head = this.repository.commit(files, [mine, landed], 'merged')
  }
}

function firstDifference(a: string, b: string): string {
  let at = 0
  while (a[at] === b[at] && at < a.length) at += 1
  return `live …${a.slice(Math.max(0, at - 60), at + 60)}… folded …${b.slice(Math.max(0, at - 60), at + 60)}…`
}
