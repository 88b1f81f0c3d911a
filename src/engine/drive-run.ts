import { knowledgePage } from '../core/knowledge/keep-knowledge.ts'
import type { AttemptSpec } from '../core/model/attempt.ts'
import type { RunEffect } from '../core/model/effect.ts'
import { type RequestId, type RunId, runLedger } from '../core/model/ids.ts'
import type { Decision, Request, RunInput, RunReport } from '../core/model/input.ts'
import type { Problem } from '../core/model/problem.ts'
import type { RunEvent } from '../core/model/run-event.ts'
import { type RunCondition, runCondition } from '../core/run/run-condition.ts'
import type { RunState } from '../core/run/state.ts'
import { runSummary } from '../core/views/run-summary.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import { AttemptHost } from './attempt-host.ts'
import { LedgerLoop } from './ledger-loop.ts'
import type { Mode } from './machine.ts'
import { type Machines, machines } from './machines.ts'
import { performRun } from './perform-run.ts'
import { catchUp, emptyWorkspaces } from './start-up.ts'
import { type Performed, problemFrom } from './under-way.ts'

/** Why an engine's work is over. */
export type EngineEnd =
  | { readonly kind: 'settled'; readonly condition: RunCondition }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'halted'; readonly problem: Problem }

export interface RunEngineOptions {
  readonly ports: EnginePorts
  readonly run: RunId
  readonly pid: number
  /** End instead of waiting for a usage limit, or for the end of a pause. */
  readonly noWait: boolean
  /** The pure parts, where a test breaks one on purpose. */
  readonly machines?: Machines
  /** Called after facts of the run became durable. */
  readonly heard?: (events: readonly RunEvent[]) => void
}

/** Drives one run's ledger and the attempts it has going. */
export class RunEngine {
  readonly #options: RunEngineOptions
  readonly #loop: LedgerLoop<RunState, RunInput, RunEvent, RunEffect, RunReport>
  readonly #host: AttemptHost
  readonly #jobs = new Map<string, AttemptSpec>()
  readonly #finished: Promise<EngineEnd>
  #finish: (end: EngineEnd) => void = () => {}
  #mode: Mode = 'recording'
  #knowledgeShown: RunState['knowledge'] = []

  constructor(options: RunEngineOptions) {
    this.#options = options
    const { ports, run } = options
    const pure = options.machines ?? machines
    this.#finished = new Promise((resolve) => {
      this.#finish = resolve
    })
    this.#host = new AttemptHost(ports, pure.attempt, {
      heard: (attempt, seq, event) => void this.#loop.post({ kind: 'attempt-event', attempt, seq, event }),
      halt: (problem) => this.#halt(problem),
      mode: () => this.#mode,
      run: () => this.#loop.state,
      changed: () => this.#look(),
    })
    this.#loop = new LedgerLoop({
      machine: pure.run,
      ledger: runLedger(run),
      store: ports.store,
      clock: ports.clock,
      perform: (effect, signal) => this.#perform(effect, signal),
      troubled: (problem): RunReport => ({ kind: 'trouble', problem }),
      reported: (effect, report): RunInput => ({ kind: 'report', effect, report }),
      tick: { kind: 'tick' },
      summary: (state) => ({ run, row: runSummary(state) }),
      appended: (events) => options.heard?.(events),
      settled: () => {
        this.#showKnowledge()
        this.#look()
      },
      halt: (problem) => this.#halt(problem),
    })
    ports.lane.serve(async (job, signal) => {
      const spec = this.#jobs.get(job.id)
      if (spec !== undefined) await this.#host.work(spec, signal)
    })
  }

  get state(): RunState {
    return this.#loop.state
  }

  /** Takes the ledger over; from here on requests can be decided. */
  open(): Promise<void> {
    return this.#loop.open()
  }

  /** Asks something of the run; answers when it is recorded, or with null when the engine has died. */
  request(id: RequestId, request: Request): Promise<Decision<RunEvent> | null> {
    if (request.kind === 'stop-engine') void this.interrupt('a person asked the engine to stop')
    return this.#loop.post({ kind: 'request', id, request }, { request: id })
  }

  /** Takes the run up and works on it until it ends, waits for a person, is stopped or halted. */
  async drive(): Promise<EngineEnd> {
    await this.#takeUp().catch((cause) => this.#halt(problemFrom(cause, 'taking the run up')))
    return this.#finished
  }

  async #takeUp(): Promise<void> {
    const { ports, pid } = this.#options
    await this.#loop.post({ kind: 'engine-started', pid })
    await emptyWorkspaces(ports, this.state)
    for (const input of await catchUp(ports.store, this.state)) await this.#loop.post(input)
    if (this.#mode === 'recording') this.#mode = 'driving'
    await this.#loop.go(this.#mode)
    this.#look()
  }

  /** Starts nothing new; rounds that are going on end by themselves, and their work is saved. */
  async drain(): Promise<void> {
    this.#mode = 'draining'
    await this.#loop.go('draining')
    this.#loop.abort((effect) => effect.kind === 'work-attempt')
    await this.#host.drain()
    this.#look()
  }

  /** Ends rounds and checks now, and saves their work. */
  async interrupt(reason: string): Promise<void> {
    await this.drain()
    this.#loop.abort(() => true)
    await this.#host.interrupt(reason)
    this.#look()
  }

  async close(): Promise<void> {
    await this.#loop.close()
    await this.#host.close()
  }

  /** What is under way in attempts, for people to see. */
  async attempts() {
    return (await this.#host.loops()).map((loop) => loop.state)
  }

  async #perform(effect: RunEffect, signal: AbortSignal): Promise<Performed<RunReport> | null> {
    switch (effect.kind) {
      case 'work-attempt':
        return this.#orHalt(effect.id, () => this.#work(effect, signal))
      case 'tell-attempt': {
        const { attempt, messageId: id, message } = effect
        return this.#orHalt(effect.id, () => this.#host.tell(attempt, { kind: 'message', id, message }))
      }
      default:
        return performRun(this.#options.ports, effect, signal)
    }
  }

  async #work(effect: Extract<RunEffect, { kind: 'work-attempt' }>, signal: AbortSignal): Promise<void> {
    this.#jobs.set(effect.id, effect.spec)
    await this.#options.ports.lane.offer({ attempt: effect.attempt, id: effect.id }, signal)
    this.#jobs.delete(effect.id)
  }

  /** An attempt whose ledger cannot even be opened is nothing that another try would mend. */
  async #orHalt(what: string, act: () => Promise<void>): Promise<null> {
    await act().catch((cause) => this.#halt(problemFrom(cause, what)))
    return null
  }

  /** One ledger that cannot be written stops all of them. */
  #halt(problem: Problem): void {
    this.#loop.stop()
    void this.#host.close()
    this.#finish({ kind: 'halted', problem })
  }

  /** Follows what is known, which is another list after each thing learned. */
  #showKnowledge(): void {
    const { knowledge } = this.state
    if (knowledge === this.#knowledgeShown || knowledge.length === 0) return
    this.#knowledgeShown = knowledge
    this.#options.ports.knowledgePage.write(knowledgePage(knowledge))
  }

  /** Ends the engine's work when nothing goes on any more. */
  #look(): void {
    if (this.#mode === 'draining') void this.#lookWhileDraining()
    if (this.#mode !== 'driving' || !this.#loop.isIdle) return
    const now = runCondition(this.state, this.#options.ports.clock.now())
    const isWait = now.kind === 'parked' || now.kind === 'paused'
    const isOver = isWait ? this.#options.noWait : now.kind !== 'working'
    if (isOver) this.#finish({ kind: 'settled', condition: now })
  }

  async #lookWhileDraining(): Promise<void> {
    if (this.#loop.isIdle && (await this.#host.isIdle())) this.#finish({ kind: 'stopped' })
  }
}
