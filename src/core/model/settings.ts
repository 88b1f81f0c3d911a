import type { Price } from '../limits/prices.ts'

/** Everything a person can set, as `longhaul.yaml` gives it after defaults. Secrets stay unresolved as `$NAME`. */
export interface Settings {
  /** The branch work lands on; null: the one checked out when the run was opened. */
  readonly target: string | null
  readonly agent: AgentSettings
  readonly roles: Readonly<Record<string, Partial<AgentSettings>>>
  readonly context: ContextSettings
  readonly turns: TurnSettings
  readonly time: TimeSettings
  readonly budget: BudgetSettings
  readonly limits: LimitSettings
  /** null: nothing was written, so a run is refused; []: no checks, on purpose. */
  readonly gates: readonly GateSettings[] | null
  readonly workspace: WorkspaceSettings
  readonly landing: { readonly mode: 'merge' | 'squash' }
  readonly judge: JudgeSettings | null
  /** Prices by model, over those that ship. */
  readonly prices: Readonly<Record<string, Price>>
}

export interface AgentSettings {
  readonly driver: string
  readonly model: string | null
  readonly access: 'workspace' | 'read-only' | 'full'
  /** Added to the agent's own environment; a value of `$NAME` reads ours. */
  readonly env: Readonly<Record<string, string>>
  /** The scripted driver's script, relative to the repository's root. */
  readonly script: string | null
}

export interface ContextSettings {
  readonly warn: number
  readonly handOff: number
  readonly critical: number
  readonly cap: number
  readonly policy: 'hand-off' | 'compact'
}

export interface TurnSettings {
  readonly preset: 'default' | 'lean'
  readonly min: number
  readonly max: number
  readonly retries: number
  readonly multiplier: number
}

export interface TimeSettings {
  readonly responseMs: number
  readonly taskMs: number
  readonly setupMs: number
  readonly hookMs: number
  readonly silenceMs: number
}

/** null: no limit. */
export interface BudgetSettings {
  readonly taskUsd: number | null
  readonly runUsd: number | null
  readonly dayUsd: number | null
}

export interface LimitSettings {
  /** Coding attempts wanted at once. */
  readonly parallel: number
  /** The ceiling for coding attempts at once. */
  readonly coding: number
  /** The ceiling for agents of all roles at once. */
  readonly total: number
  readonly attempts: number
  readonly handOffs: number
  readonly errorDelayMs: number
  readonly errorDelayMsMax: number
  readonly limitDelayMs: number
  readonly limitDelayMsMax: number
}

export interface GateSettings {
  readonly name: string
  readonly run: string
  readonly onFail: 'block' | 'warn' | 'skip'
  readonly timeoutMs: number
  /** Globs of files that an attempt may not change. */
  readonly protect: readonly string[]
}

export interface WorkspaceSettings {
  readonly setup: readonly string[]
  readonly hooks: {
    readonly afterCreate: string | null
    readonly beforeRun: string | null
    readonly afterRun: string | null
    readonly beforeRemove: string | null
  }
}

export interface JudgeSettings {
  readonly driver: string
  readonly model: string
  readonly url: string
}
