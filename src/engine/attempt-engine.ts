import { type AttemptState, isResting } from '../core/attempt/state.ts'
import type { AttemptSpec } from '../core/model/attempt.ts'
import type { AttemptEvent } from '../core/model/attempt-event.ts'
import type { AttemptEffect, RunEffect } from '../core/model/effect.ts'
import { type AttemptId, attemptLedger } from '../core/model/ids.ts'
import type { AttemptInput, AttemptReport } from '../core/model/input.ts'
import type { Problem } from '../core/model/problem.ts'
import type { RunState } from '../core/run/state.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import { LedgerLoop } from './ledger-loop.ts'
import { CurrentRound, type OpenAttempt } from './open-attempt.ts'
import { performAttempt } from './perform-attempt.ts'
import type { EngineMode } from './running-effects.ts'
import type { StateMachines } from './state-machines.ts'

/** Run engine, as its attempts see it. */
export interface AttemptOwner {
  mode(): EngineMode
  run(): RunState
  /** Called with each event of the attempt that has become durable. */
  onEvent(attempt: AttemptId, seq: number, event: AttemptEvent): void
  onSettled(): void
  onHalt(problem: Problem): void
}

/** Attempts that are open in this process, each driven by its own engine. */
export class OpenAttempts {
  readonly #ports: EnginePorts
  readonly #machine: StateMachines['attempt']
  readonly #owner: AttemptOwner
  readonly #engines = new Map<AttemptId, Promise<AttemptEngine>>()

  constructor(ports: EnginePorts, machine: StateMachines['attempt'], owner: AttemptOwner) {
    this.#ports = ports
    this.#machine = machine
    this.#owner = owner
  }

  /** Works on an attempt until it rests or is cancelled. */
  async work(spec: AttemptSpec, signal: AbortSignal): Promise<void> {
    const engine = await this.#engineOf(spec.attempt)
    await engine.post({ kind: 'open', spec })
    await engine.untilResting(signal)
    await this.#closeIfResting(engine)
  }

  /** Delivers a message of the run; recorded in the attempt's ledger when this resolves. */
  async deliver({ attempt, messageId, message }: Extract<RunEffect, { kind: 'tell-attempt' }>): Promise<void> {
    const engine = await this.#engineOf(attempt)
    await engine.post({ kind: 'message', id: messageId, message })
    await this.#closeIfResting(engine)
  }

  async isIdle(): Promise<boolean> {
    return (await this.engines()).every(({ isIdle }) => isIdle)
  }

  engines(): Promise<readonly AttemptEngine[]> {
    return Promise.all(this.#engines.values())
  }

  async drain(): Promise<void> {
    for (const engine of await this.engines()) await engine.setMode('draining')
  }

  async interrupt(reason: string): Promise<void> {
    await Promise.all((await this.engines()).map((engine) => engine.interrupt(reason)))
  }

  async close(): Promise<void> {
    const engines = await Promise.allSettled(this.#engines.values())
    await Promise.all(engines.map((engine) => (engine.status === 'fulfilled' ? engine.value.close() : undefined)))
    // Removed only now: a second call has to wait for the agents, too.
    this.#engines.clear()
  }

  #engineOf(attempt: AttemptId): Promise<AttemptEngine> {
    const open = this.#engines.get(attempt)
    if (open !== undefined) return open
    const opening = AttemptEngine.open(this.#ports, this.#machine, attempt, this.#owner)
    this.#engines.set(attempt, opening)
    opening.catch(() => this.#engines.delete(attempt))
    return opening
  }

  async #closeIfResting(engine: AttemptEngine): Promise<void> {
    if (!engine.isResting) return
    this.#engines.delete(engine.attempt)
    await engine.close()
  }
}

/** Drives the ledger of one attempt. */
export class AttemptEngine {
  readonly attempt: AttemptId
  readonly #loop: LedgerLoop<AttemptState, AttemptInput, AttemptEvent, AttemptEffect, AttemptReport>
  readonly #ports: EnginePorts
  readonly #owner: AttemptOwner
  #waitingForRest: (() => void)[] = []

  private constructor(ports: EnginePorts, machine: StateMachines['attempt'], attempt: AttemptId, owner: AttemptOwner) {
    this.attempt = attempt
    this.#ports = ports
    this.#owner = owner
    const open: OpenAttempt = {
      round: new CurrentRound(),
      workspace: { isEmpty: false },
      state: () => this.#loop.state,
      run: () => owner.run(),
      post: (input, blobs) => this.#loop.post(input, { blobs }),
    }
    this.#loop = new LedgerLoop({
      machine,
      ledger: attemptLedger(attempt),
      store: ports.store,
      clock: ports.clock,
      tick: { kind: 'tick' },
      perform: (effect, signal) => performAttempt(ports, effect, open, signal),
      troubleReport: (problem): AttemptReport => ({ kind: 'trouble', problem }),
      reportInput: (effect, report): AttemptInput => ({ kind: 'report', effect, report }),
      onAppend: (events, firstSeq) =>
        events.forEach((event, index) => {
          owner.onEvent(attempt, firstSeq + index, event)
        }),
      onSettled: () => this.#onSettled(),
      onHalt: (problem) => owner.onHalt(problem),
    })
  }

  /** Opens an attempt and recovers what an earlier engine left unfinished. */
  static async open(
    ports: EnginePorts,
    machine: StateMachines['attempt'],
    attempt: AttemptId,
    owner: AttemptOwner,
  ): Promise<AttemptEngine> {
    const engine = new AttemptEngine(ports, machine, attempt, owner)
    await engine.#loop.open()
    await engine.#passOnMissedEvents()
    await engine.#recover()
    await engine.#loop.setMode(owner.mode())
    return engine
  }

  get state(): AttemptState {
    return this.#loop.state
  }

  get isIdle(): boolean {
    return this.#loop.isIdle
  }

  /** True when nothing runs, and nothing will start without new input. */
  get isResting(): boolean {
    return this.#loop.isIdle && isResting(this.#loop.state)
  }

  post(input: AttemptInput): Promise<unknown> {
    return this.#loop.post(input)
  }

  setMode(mode: EngineMode): Promise<void> {
    return this.#loop.setMode(mode)
  }

  /** Ends the round and all effects that save no work. */
  async interrupt(reason: string): Promise<void> {
    await this.#loop.post({ kind: 'interrupted', reason })
    this.#loop.abortEffects((effect) => !effect.saves)
  }

  close(): Promise<void> {
    return this.#loop.close()
  }

  async untilResting(signal: AbortSignal): Promise<void> {
    while (!this.isResting && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#waitingForRest.push(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
  }

  // Another engine may have appended after the run was replayed here; since the claim it no longer can.
  async #passOnMissedEvents(): Promise<void> {
    const after = this.#owner.run().attempts.get(this.attempt)?.seq
    if (after === undefined) return
    for await (const chunk of this.#ports.store.read(attemptLedger(this.attempt), after)) {
      for (const { seq, event } of chunk) this.#owner.onEvent(this.attempt, seq, event as AttemptEvent)
    }
  }

  /** Reports `once` effects of an earlier engine as lost, and a workspace that has disappeared. */
  async #recover(): Promise<void> {
    const { state } = this.#loop
    if (state.spec === null || state.doing.kind === 'ended') return
    const lost = this.#loop.effectsDue().filter((effect) => effect.class === 'once')
    if (lost.length > 0) await this.#ports.workspaces.endProcesses(this.attempt)
    for (const effect of lost) await this.#loop.post({ kind: 'report', effect: effect.id, report: { kind: 'lost' } })
    if (await this.#ports.workspaces.exists(this.attempt)) return
    await this.#loop.post({ kind: 'workspace-missing', reason: 'it was gone when the engine started' })
  }

  #onSettled(): void {
    if (this.isResting) for (const resolve of this.#waitingForRest.splice(0)) resolve()
    this.#owner.onSettled()
  }
}
