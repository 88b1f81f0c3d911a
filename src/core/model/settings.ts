import type { Weight } from './task.ts'
import type { Price } from './usage.ts'
import type { Workflow } from './workflow.ts'

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
  /** Prompts by name, over those that ship. */
  readonly prompts: Readonly<Record<string, string>>
  /** Whether the project is tested in a browser, too. */
  readonly uiTests: boolean
  /** Where a person is asked before work goes on. */
  readonly breakpoints: readonly Breakpoint[]
  /** How a task of each weight is worked on. */
  readonly workflows: Readonly<Record<Weight, Workflow>>
}

export interface AgentSettings {
  readonly driver: string
  readonly model: string | null
  readonly access: 'workspace' | 'read-only' | 'full'
  /** Added to the agent's own environment; a value of `$NAME` reads ours. */
  readonly env: Readonly<Record<string, string>>
  /** The scripted driver's script, relative to the repository's root. */
  readonly script: string | null
  /** Takes over when the model is overloaded. */
  readonly fallbackModel: string | null
  readonly effort: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null
  readonly tools: ToolSettings
  /** MCP servers beyond Longhaul's own, by name. */
  readonly mcp: Readonly<Record<string, McpServerSettings>>
  /** Which of the agent's own settings files are read. */
  readonly settingSources: readonly ('user' | 'project' | 'local')[]
  /** Added to the agent's own system prompt. */
  readonly systemPrompt: string | null
  /** How many agents of its own the agent may have at work at once. */
  readonly subagents: number
}

/** An agent's tools, as the agent calls them. */
export interface ToolSettings {
  /** Null: all that the access allows. */
  readonly allow: readonly string[] | null
  readonly deny: readonly string[]
}

/** Values of `$NAME` in `env` and `headers` are read from our environment. */
export type McpServerSettings =
  | {
      readonly kind: 'program'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
    }
  | { readonly kind: 'http' | 'sse'; readonly url: string; readonly headers: Readonly<Record<string, string>> }

/** The agent of settings that say nothing of it. */
export const PLAIN_AGENT: AgentSettings = {
  driver: 'claude',
  model: null,
  access: 'workspace',
  env: {},
  script: null,
  fallbackModel: null,
  effort: null,
  tools: { allow: null, deny: [] },
  mcp: {},
  settingSources: ['user', 'project'],
  systemPrompt: null,
  subagents: 3,
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
  /** The least share of lines that its tests must cover; null: any. */
  readonly coverage: number | null
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

/** A place where a person is asked, and the tasks for which; an empty list: all of them. */
export interface Breakpoint {
  /** A phase, or `landing`. */
  readonly before: string
  /** Globs of ids. */
  readonly tasks: readonly string[]
  readonly weights: readonly Weight[]
  readonly milestones: readonly string[]
}

export interface JudgeSettings {
  /** An endpoint's language, or `agent`: the agent of these settings is asked itself. */
  readonly driver: string
  /** Null: the agent's own. */
  readonly model: string | null
  /** The endpoint; null: it is the agent. */
  readonly url: string | null
  /** Its key as `$NAME`; null: it needs none. */
  readonly key: string | null
  /** How long an answer is waited for. */
  readonly timeoutMs: number
  /** Whether it is asked about work that has passed its checks. */
  readonly opinions: boolean
  /** What each part of the quality must reach, from 0 to 1. */
  readonly quality: number
}
