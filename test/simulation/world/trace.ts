import type { RoundOrder } from '../../../src/core/model/effect.ts'
import type { AttemptId, Commit, LedgerId, Tree } from '../../../src/core/model/ids.ts'
import type { UsageReport } from '../../../src/core/model/round.ts'
import type { ToolCall } from '../../../src/core/model/tool-call.ts'

/** Append of an engine, in the order of the world. */
export interface AppendRecord {
  readonly life: number
  readonly ledger: LedgerId
  readonly at: number
  readonly events: readonly { readonly kind: string }[]
}

/** Everything in a world that checkers inspect. */
export interface Trace {
  readonly appends: AppendRecord[]
  readonly claims: { readonly life: number; readonly ledger: LedgerId; readonly appendsBefore: number }[]
  /** First and last time at which each engine did anything, by its number. */
  readonly engines: Map<number, { readonly from: number; to: number }>
  readonly rounds: {
    readonly life: number
    readonly attempt: AttemptId
    readonly others: number
    readonly agents: number
    readonly slots: number
    readonly order: RoundOrder
  }[]
  readonly checks: {
    readonly commit: Commit
    readonly tree: Tree
    readonly place: string
    readonly passed: boolean
    readonly at: number
  }[]
  readonly advances: { readonly from: Commit; readonly to: Commit; readonly at: number; readonly checked: boolean }[]
  readonly removals: { readonly name: string; readonly lost: readonly string[] }[]
  /** Usage that engines received; `isExcused` when the engine died before it could record it. */
  readonly usageReceived: { readonly usage: UsageReport; readonly life: number; isExcused: boolean }[]
  /** Texts sent to agents, in order. */
  readonly textsSent: { readonly attempt: AttemptId; readonly session: string; readonly text: string }[]
  /** Tool calls that an engine acknowledged as recorded. */
  readonly calls: { readonly attempt: AttemptId; readonly round: number; readonly call: ToolCall }[]
  readonly stale: { readonly effect: string; readonly outcome: string }[]
  readonly folds: { readonly ledger: LedgerId; readonly difference: string }[]
  readonly engineEnds: string[]
  readonly faults: Record<string, number>
}

export function newTrace(): Trace {
  return {
    appends: [],
    claims: [],
    engines: new Map(),
    rounds: [],
    checks: [],
    advances: [],
    removals: [],
    usageReceived: [],
    textsSent: [],
    calls: [],
    stale: [],
    folds: [],
    engineEnds: [],
    faults: {},
  }
}
