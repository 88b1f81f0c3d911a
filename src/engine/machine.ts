import type { EffectBase } from '../core/model/effect.ts'
import type { Decision, Moment } from '../core/model/input.ts'

/** The pure part of one kind of ledger. */
export interface Machine<State, Input, Event, Effect extends EffectBase> {
  fresh(): State
  decide(state: State, input: Input, moment: Moment): Decision<Event>
  /** What follows by itself, while the ledger is driven; nothing: it has settled. */
  settle(state: State, moment: Moment): readonly Event[]
  evolve(state: State, event: Event, at: number): void
  effectsDue(state: State, at: number): readonly Effect[]
  /** The next time after this one at which passing time matters. */
  wakesAt(state: State, after: number): number | null
}

/** How far an engine goes: it only records, it drives, or it saves what is there and starts nothing new. */
export type Mode = 'recording' | 'driving' | 'draining'
