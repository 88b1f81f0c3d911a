import type { AttemptSpec } from '../src/core/model/attempt.ts'
import type { AttemptEvent, Message } from '../src/core/model/attempt-event.ts'
import type { AttemptEffect } from '../src/core/model/effect.ts'
import type { Commit, Tree } from '../src/core/model/ids.ts'
import type { AttemptInput, AttemptReport } from '../src/core/model/input.ts'
import { stateMachines } from '../src/engine/state-machines.ts'

/** Fact of an attempt, and its position in the attempt's ledger. */
export interface AttemptFact {
  readonly seq: number
  readonly event: AttemptEvent
}

/** Source of unique times and ids. */
export interface Source {
  now(): number
  uuid(): string
  /** Returns the id of a git object. */
  object(): string
}

const { attempt: machine } = stateMachines

/** Attempt whose effects all succeed at once: real decisions in a synthetic world. */
export class SyntheticAttempt {
  readonly #source: Source
  readonly #state = machine.initialState()
  #seq = 0

  constructor(source: Source) {
    this.#source = source
  }

  work(spec: AttemptSpec): readonly AttemptFact[] {
    return this.#goOn(this.#post({ kind: 'open', spec }))
  }

  deliver(id: string, message: Message): readonly AttemptFact[] {
    return this.#goOn(this.#post({ kind: 'message', id, message }))
  }

  #goOn(facts: AttemptFact[]): readonly AttemptFact[] {
    for (;;) {
      const [effect] = machine.effectsDue(this.#state, this.#source.now())
      if (effect === undefined) return facts
      if (effect.kind === 'run-round') for (const input of this.#talk(effect)) facts.push(...this.#post(input))
      facts.push(...this.#post({ kind: 'report', effect: effect.id, report: this.#reportOf(effect) }))
    }
  }

  #post(input: AttemptInput): AttemptFact[] {
    const moment = { at: this.#source.now(), uuid: this.#source.uuid() }
    const decision = machine.decide(this.#state, input, moment)
    if (decision.kind === 'refused') throw new Error(decision.problem.message)
    const facts: AttemptFact[] = []
    const take = (fresh: readonly AttemptEvent[]) => {
      for (const event of fresh) {
        machine.evolve(this.#state, event, moment.at)
        this.#seq += 1
        facts.push({ seq: this.#seq, event })
      }
    }
    take(decision.events)
    for (let next = machine.settle(this.#state, moment); next.length > 0; ) {
      take(next)
      next = machine.settle(this.#state, moment)
    }
    return facts
  }

  #talk({ round }: Extract<AttemptEffect, { kind: 'run-round' }>): readonly AttemptInput[] {
    const { session } = round
    const tokens = { input: 1234, cacheRead: 55_555, cacheWrite: 222, output: 999 }
    const usage = {
      session,
      message: this.#source.uuid(),
      model: 'scripted',
      scope: 'main' as const,
      hourCacheWrite: 0,
      tokens,
      window: 200_000,
    }
    return [
      { kind: 'session-opened', session, driver: 'scripted', model: 'scripted', cli: null },
      { kind: 'usage', usage },
    ]
  }

  #reportOf(effect: AttemptEffect): AttemptReport {
    switch (effect.kind) {
      case 'ensure-workspace':
        return { kind: 'workspace-made', commit: effect.commit }
      case 'try-verify':
        return { kind: 'verify-tried', alreadyGreen: [] }
      case 'run-round':
        return {
          kind: 'round-ended',
          end: { kind: 'ok', detail: 'It is done.', claim: { kind: 'done' }, resetAt: null, note: null },
          note: null,
          words: null,
        }
      case 'checkpoint': {
        const [commit, tree] = [this.#source.object() as Commit, this.#source.object() as Tree]
        return { kind: 'checkpointed', commit, tree, changed: 3, nested: [], history: null }
      }
      case 'run-checks':
        return { kind: 'checked', verdict: { passed: true, receipts: [], findings: [] } }
      case 'ask-judge':
        return { kind: 'opinion', opinion: null, why: 'there is no judge' }
      case 'hand-over':
      case 'deliver-steering':
        throw new Error('a synthetic session is never full')
      case 'release-workspace':
        return { kind: 'released', kept: false, salvage: [] }
    }
  }
}
