import { type AttemptState, isResting } from '../core/attempt/state.ts'
import type { AttemptSpec } from '../core/model/attempt.ts'
import type { AttemptEvent } from '../core/model/attempt-event.ts'
import type { AttemptEffect } from '../core/model/effect.ts'
import { type AttemptId, attemptLedger } from '../core/model/ids.ts'
import type { AttemptInput, AttemptReport } from '../core/model/input.ts'
import type { Problem } from '../core/model/problem.ts'
import type { RunState } from '../core/run/state.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import { GoingRound } from './going-round.ts'
import { type Hearing, hearCall } from './hear-call.ts'
import { LedgerLoop } from './ledger-loop.ts'
import type { Mode } from './machine.ts'
import type { Machines } from './machines.ts'
import { performAttempt } from './perform-attempt.ts'
import type { RoundVoices } from './perform-round.ts'

export interface AttemptOwner {
  /** Facts of the attempt that have just become durable. */
  heard(attempt: AttemptId, seq: number, event: AttemptEvent): void
  halt(problem: Problem): void
  /** How far attempts may go now. */
  mode(): Mode
  /** Where the run stands, for agents that ask. */
  run(): RunState
  changed(): void
}

/** Drives one attempt's ledger: takes up what is there, then goes on from it. */
export class AttemptLoop {
  readonly attempt: AttemptId
  readonly #loop: LedgerLoop<AttemptState, AttemptInput, AttemptEvent, AttemptEffect, AttemptReport>
  readonly #ports: EnginePorts
  readonly #owner: AttemptOwner
  #rested: (() => void)[] = []

  private constructor(ports: EnginePorts, machine: Machines['attempt'], attempt: AttemptId, owner: AttemptOwner) {
    this.attempt = attempt
    this.#ports = ports
    this.#owner = owner
    const hearing: Hearing = {
      attempt: () => this.#loop.state,
      run: () => owner.run(),
      record: (input, blobs) => this.#loop.post(input, { blobs }),
    }
    const voices: RoundVoices = {
      going: new GoingRound(),
      workspace: { isEmpty: false },
      say: (input) => void this.#loop.post(input),
      hear: (round, call) => hearCall(round, call, hearing),
    }
    this.#loop = new LedgerLoop({
      machine,
      ledger: attemptLedger(attempt),
      store: ports.store,
      clock: ports.clock,
      perform: (effect, signal) => performAttempt(ports, effect, voices, signal),
      troubled: (problem): AttemptReport => ({ kind: 'trouble', problem }),
      reported: (effect, report): AttemptInput => ({ kind: 'report', effect, report }),
      tick: { kind: 'tick' },
      appended: (events, firstSeq) =>
        events.forEach((event, index) => {
          owner.heard(attempt, firstSeq + index, event)
        }),
      settled: () => this.#look(),
      halt: (problem) => owner.halt(problem),
    })
  }

  /** Takes up an attempt: what an earlier engine left going is ended, and reported as lost. */
  static async open(
    ports: EnginePorts,
    machine: Machines['attempt'],
    attempt: AttemptId,
    owner: AttemptOwner,
  ): Promise<AttemptLoop> {
    const taken = new AttemptLoop(ports, machine, attempt, owner)
    await taken.#loop.open()
    await taken.#tellUnheard()
    await taken.#takeUp()
    await taken.#loop.go(owner.mode())
    return taken
  }

  get state(): AttemptState {
    return this.#loop.state
  }

  /** Whether nothing goes on in it, and nothing will by itself. */
  get isAtRest(): boolean {
    return this.#loop.isIdle && isResting(this.#loop.state)
  }

  get isIdle(): boolean {
    return this.#loop.isIdle
  }

  begin(spec: AttemptSpec): Promise<unknown> {
    return this.#loop.post({ kind: 'open', spec })
  }

  post(input: AttemptInput): Promise<unknown> {
    return this.#loop.post(input)
  }

  go(mode: Mode): Promise<void> {
    return this.#loop.go(mode)
  }

  /** Ends the round and whatever else saves no work. */
  async interrupt(reason: string): Promise<void> {
    await this.#loop.post({ kind: 'interrupted', reason })
    this.#loop.abort((effect) => !effect.saves)
  }

  close(): Promise<void> {
    return this.#loop.close()
  }

  /** Settles when the stretch of work is over. */
  async untilRest(signal: AbortSignal): Promise<void> {
    while (!this.isAtRest && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#rested.push(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
  }

  /** Another engine may have written to the ledger after the run was taken up here; now it can no longer. */
  async #tellUnheard(): Promise<void> {
    const after = this.#owner.run().attempts.get(this.attempt)?.seq
    if (after === undefined) return
    for await (const chunk of this.#ports.store.read(attemptLedger(this.attempt), after)) {
      for (const { seq, event } of chunk) this.#owner.heard(this.attempt, seq, event as AttemptEvent)
    }
  }

  async #takeUp(): Promise<void> {
    const { state } = this.#loop
    if (state.spec === null || state.doing.kind === 'ended') return
    const lost = this.#loop.due().filter((effect) => effect.class === 'once')
    if (lost.length > 0) await this.#ports.workspaces.empty(this.attempt)
    for (const effect of lost) await this.#loop.post({ kind: 'report', effect: effect.id, report: { kind: 'lost' } })
    if (await this.#ports.workspaces.exists(this.attempt)) return
    await this.#loop.post({ kind: 'workspace-missing', reason: 'it was not there when the engine started' })
  }

  #look(): void {
    if (this.isAtRest) for (const resolve of this.#rested.splice(0)) resolve()
    this.#owner.changed()
  }
}
