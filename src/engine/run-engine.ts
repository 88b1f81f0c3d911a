import { knowledgePage } from '../core/knowledge/keep-knowledge.ts'
import { workspacesToDiscard } from '../core/limits/retention.ts'
import type { AttemptSpec } from '../core/model/attempt.ts'
import type { AttemptEvent } from '../core/model/attempt-event.ts'
import type { RunEffect } from '../core/model/effect.ts'
import { type AttemptId, attemptLedger, type RequestId, type RunId, runLedger } from '../core/model/ids.ts'
import type { Decision, Request, RunInput, RunReport } from '../core/model/input.ts'
import { isProblem, type Problem, unwrap } from '../core/model/problem.ts'
import type { RunEvent } from '../core/model/run-event.ts'
import { type RunCondition, runCondition } from '../core/run/run-condition.ts'
import type { RunState } from '../core/run/state.ts'
import { runSummary } from '../core/views/run-summary.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import type { Store } from '../ports/store.ts'
import { OpenAttempts } from './attempt-engine.ts'
import type { EffectResult } from './effect-result.ts'
import { LedgerLoop } from './ledger-loop.ts'
import { LeftoverRemoval } from './leftover-removal.ts'
import { performRun } from './perform-run.ts'
import { type EngineMode, problemFrom } from './running-effects.ts'
import { type StateMachines, stateMachines } from './state-machines.ts'

/** Reason why an engine has finished. */
export type EngineEnd =
  | { readonly kind: 'settled'; readonly condition: RunCondition }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'halted'; readonly problem: Problem }

export interface RunEngineOptions {
  readonly ports: EnginePorts
  readonly run: RunId
  readonly pid: number
  /** Finish instead of waiting for a usage limit or for the end of a pause. */
  readonly noWait: boolean
  /** Replaced in tests that break a rule on purpose. */
  readonly stateMachines?: StateMachines
  /** Called with events of the run that have become durable. */
  readonly onEvents?: (events: readonly RunEvent[]) => void
}

/** Drives one run: its ledger and the attempts that are open. */
export class RunEngine {
  readonly #options: RunEngineOptions
  readonly #loop: LedgerLoop<RunState, RunInput, RunEvent, RunEffect, RunReport>
  readonly #attempts: OpenAttempts
  readonly #offeredSpecs = new Map<string, AttemptSpec>()
  readonly #removal: LeftoverRemoval
  readonly #finished: Promise<EngineEnd>
  #finish: (end: EngineEnd) => void = () => {}
  #mode: EngineMode = 'recording'
  #writtenKnowledge: RunState['knowledge'] = []

  constructor(options: RunEngineOptions) {
    this.#options = options
    const { ports, run } = options
    const machines = options.stateMachines ?? stateMachines
    this.#removal = new LeftoverRemoval(ports)
    this.#finished = new Promise((resolve) => {
      this.#finish = resolve
    })
    this.#attempts = new OpenAttempts(ports, machines.attempt, {
      mode: () => this.#mode,
      run: () => this.#loop.state,
      onEvent: (attempt, seq, event) => void this.#loop.post({ kind: 'attempt-event', attempt, seq, event }),
      onSettled: () => this.#finishIfDone(),
      onHalt: (problem) => this.halt(problem),
    })
    this.#loop = new LedgerLoop({
      machine: machines.run,
      ledger: runLedger(run),
      store: ports.store,
      clock: ports.clock,
      tick: { kind: 'tick' },
      perform: (effect, signal) => this.#perform(effect, signal),
      troubleReport: (problem): RunReport => ({ kind: 'trouble', problem }),
      reportInput: (effect, report): RunInput => ({ kind: 'report', effect, report }),
      summary: (state) => ({ run, row: runSummary(state) }),
      onAppend: (events) => options.onEvents?.(events),
      onSettled: () => {
        this.#writeKnowledgePage()
        this.#finishIfDone()
      },
      onHalt: (problem) => this.halt(problem),
    })
    ports.lane.serve(async (job, signal) => {
      const spec = this.#offeredSpecs.get(job.id)
      if (spec !== undefined) await this.#attempts.work(spec, signal)
    })
  }

  get state(): RunState {
    return this.#loop.state
  }

  /** Claims and replays the run's ledger; requests can be decided afterwards. */
  open(): Promise<void> {
    return this.#loop.open()
  }

  /** Decides on a request; resolves when the answer is durable, or to null when the engine has halted. */
  request(id: RequestId, request: Request): Promise<Decision<RunEvent> | null> {
    if (request.kind === 'stop-engine') void this.interrupt('a person asked the engine to stop')
    return this.#loop.post({ kind: 'request', id, request }, { request: id })
  }

  /** Recovers from earlier engines, then works until the run ends, needs a person, is stopped or halts. */
  async drive(): Promise<EngineEnd> {
    await this.#start().catch((cause) => this.halt(problemFrom(cause, 'engine start')))
    return this.#finished
  }

  async #start(): Promise<void> {
    const { ports, pid } = this.#options
    await this.#loop.post({ kind: 'engine-started', pid, protection: ports.protection })
    this.#removal.start(await takeOverWorkspaces(ports, this.state))
    for (const input of await missedAttemptEvents(ports.store, this.state)) await this.#loop.post(input)
    if (this.#mode === 'recording') this.#mode = 'driving'
    await this.#loop.setMode(this.#mode)
    this.#finishIfDone()
  }

  /** Starts nothing new; running rounds finish, and their work is saved. */
  async drain(): Promise<void> {
    this.#mode = 'draining'
    await this.#loop.setMode('draining')
    this.#loop.abortEffects((effect) => effect.kind === 'work-attempt')
    await this.#attempts.drain()
    this.#finishIfDone()
  }

  /** Ends running rounds and checks, and saves their work. */
  async interrupt(reason: string): Promise<void> {
    await this.drain()
    this.#loop.abortEffects(() => true)
    await this.#attempts.interrupt(reason)
    this.#finishIfDone()
  }

  /** Stops all ledgers and everything that runs, and records nothing more. */
  halt(problem: Problem): void {
    this.#loop.stop()
    void this.#attempts.close()
    this.#finish({ kind: 'halted', problem })
  }

  async close(): Promise<void> {
    await this.#loop.close()
    await this.#attempts.close()
    await this.#removal.close()
  }

  /** Returns the states of all open attempts. */
  async attemptStates() {
    return (await this.#attempts.engines()).map(({ state }) => state)
  }

  async #perform(effect: RunEffect, signal: AbortSignal): Promise<EffectResult<RunReport> | null> {
    switch (effect.kind) {
      case 'work-attempt':
        return this.#orHalt(effect.id, () => this.#offer(effect, signal))
      case 'tell-attempt':
        return this.#orHalt(effect.id, () => this.#attempts.deliver(effect))
      default:
        return performRun(this.#options.ports, effect, signal)
    }
  }

  async #offer(effect: Extract<RunEffect, { kind: 'work-attempt' }>, signal: AbortSignal): Promise<void> {
    this.#offeredSpecs.set(effect.id, effect.spec)
    await this.#options.ports.lane.offer({ attempt: effect.attempt, id: effect.id }, signal)
    this.#offeredSpecs.delete(effect.id)
  }

  /** Halts when an attempt's ledger cannot be opened, because retrying would not help. */
  async #orHalt(effect: string, act: () => Promise<void>): Promise<null> {
    await act().catch((cause) => this.halt(problemFrom(cause, effect)))
    return null
  }

  /** Rewrites the knowledge page when the list has changed; each change makes a new list. */
  #writeKnowledgePage(): void {
    const { knowledge } = this.state
    if (knowledge === this.#writtenKnowledge || knowledge.length === 0) return
    this.#writtenKnowledge = knowledge
    this.#options.ports.knowledgePage.write(knowledgePage(knowledge))
  }

  #finishIfDone(): void {
    if (this.#mode === 'draining') void this.#finishIfDrained()
    if (this.#mode !== 'driving' || !this.#loop.isIdle) return
    const condition = runCondition(this.state, this.#options.ports.clock.now())
    const isWaiting = condition.kind === 'parked' || condition.kind === 'paused'
    const isDone = isWaiting ? this.#options.noWait : condition.kind !== 'working'
    if (isDone) this.#finish({ kind: 'settled', condition })
  }

  async #finishIfDrained(): Promise<void> {
    if (this.#loop.isIdle && (await this.#attempts.isIdle())) this.#finish({ kind: 'stopped' })
  }
}

/** Ends processes that earlier engines left in workspaces; returns the leftovers, whose names are free from now on. */
async function takeOverWorkspaces(
  { workspaces, activities, clock }: EnginePorts,
  state: RunState,
): Promise<readonly string[]> {
  activities.clear()
  const onDisk = await workspaces.list()
  const attempts = new Set(onDisk.flatMap(({ attempt }) => (attempt === null ? [] : [attempt])))
  for (const result of await Promise.all([...attempts].map((attempt) => workspaces.endProcesses(attempt))))
    unwrap(result)
  const fateOf = (attempt: string) => (state.attempts.has(attempt as AttemptId) ? 'live' : 'over')
  const leftovers = workspacesToDiscard(onDisk, fateOf, clock.now())
  const aside = await Promise.all(leftovers.map(({ name }) => workspaces.setAside(name)))
  return aside.flatMap((name) => (isProblem(name) ? [] : [name]))
}

/** Reads events of live attempts that the run has not seen, because an engine died before passing them on. */
async function missedAttemptEvents(store: Store, { attempts }: RunState): Promise<readonly RunInput[]> {
  const inputs: RunInput[] = []
  for (const { attempt, seq: after } of attempts.values()) {
    for await (const chunk of store.read(attemptLedger(attempt), after)) {
      for (const { seq, event } of chunk)
        inputs.push({ kind: 'attempt-event', attempt, seq, event: event as AttemptEvent })
    }
  }
  return inputs
}
