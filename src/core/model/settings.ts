import type { Weight } from './task.ts'
import type { Price } from './usage.ts'
import type { Workflow } from './workflow.ts'

/** Settings from `longhaul.yaml` with defaults applied. Secrets stay unresolved as `$NAME`. */
export interface Settings {
  /** Files of the repository that these settings come from: longhaul.yaml, and the prompts and scripts it names. */
  readonly sources: readonly string[]
  /** Branch that work lands on, or null for the one checked out when the run was opened. */
  readonly target: string | null
  readonly agent: AgentSettings
  readonly roles: Readonly<Record<string, Partial<AgentSettings>>>
  readonly context: ContextSettings
  readonly turns: TurnSettings
  readonly time: TimeSettings
  readonly budget: BudgetSettings
  readonly limits: LimitSettings
  /** Null when the key is missing, so a run is refused; [] means no checks on purpose. */
  readonly gates: readonly GateSettings[] | null
  readonly workspace: WorkspaceSettings
  readonly landing: { readonly mode: 'merge' | 'squash' }
  readonly sandbox: SandboxSettings
  readonly judge: JudgeSettings | null
  /** Prices by model that replace the built-in ones. */
  readonly prices: Readonly<Record<string, Price>>
  /** Prompts by name that replace the built-in ones. */
  readonly prompts: Readonly<Record<string, string>>
  /** True when the project is also tested in a browser. */
  readonly uiTests: boolean
  /** Places where work needs a person's approval. */
  readonly breakpoints: readonly Breakpoint[]
  /** Workflow for each weight. */
  readonly workflows: Readonly<Record<Weight, Workflow>>
}

export interface AgentSettings {
  readonly driver: string
  readonly model: string | null
  readonly access: 'workspace' | 'read-only' | 'full'
  /** Added to the agent's environment; a value of `$NAME` is read from ours. */
  readonly env: Readonly<Record<string, string>>
  /** Script of the scripted driver, relative to the repository's root. */
  readonly script: string | null
  /** Model to use while the main one is overloaded. */
  readonly fallbackModel: string | null
  readonly effort: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null
  readonly tools: ToolSettings
  /** Further MCP servers by name. */
  readonly mcp: Readonly<Record<string, McpServerSettings>>
  /** Settings files of the agent that it reads. */
  readonly settingSources: readonly ('project' | 'local')[]
  /** Added to the agent's own system prompt. */
  readonly systemPrompt: string | null
  /** Maximum of subagents that run in parallel. */
  readonly subagents: number
}

/** Tools of an agent, by the agent's names for them. */
export interface ToolSettings {
  /** Allowed tools, or null for all that the access permits. */
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

/** Default agent settings. */
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
  settingSources: ['project'],
  systemPrompt: null,
  subagents: 3,
}

/** Strength of the sandbox; `trusted`: only processes are shut in. */
export type SandboxLevel = (typeof SANDBOX_LEVELS)[number]

export const SANDBOX_LEVELS = ['trusted', 'standard', 'strict'] as const

/** Sandbox of everything that runs in a workspace or a checkout. */
export interface SandboxSettings {
  readonly level: SandboxLevel
  /** True when nothing may start without it. */
  readonly required: boolean
  /** Further folders and files that programs may read; `~` is the user's home. */
  readonly read: readonly string[]
  /** Further folders that programs may write. */
  readonly write: readonly string[]
  /** Sockets of the machine that programs may use. */
  readonly sockets: readonly string[]
  /** Further hosts that programs may reach. */
  readonly hosts: readonly string[]
  /** Ports of this machine's loopback address that programs may reach. */
  readonly loopback: readonly number[]
  /** True when programs may reach every public host. */
  readonly web: boolean
}

/** Default sandbox settings. */
export const PLAIN_SANDBOX: SandboxSettings = {
  level: 'standard',
  required: false,
  read: [],
  write: [],
  sockets: [],
  hosts: [],
  loopback: [],
  web: false,
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

/** Budgets in USD; null means no limit. */
export interface BudgetSettings {
  readonly taskUsd: number | null
  readonly runUsd: number | null
  readonly dayUsd: number | null
}

export interface LimitSettings {
  /** Wanted number of parallel coding attempts. */
  readonly parallel: number
  /** Maximum of parallel coding attempts. */
  readonly coding: number
  /** Maximum of parallel agents of all roles. */
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
  /** Minimum share of covered lines, or null for no minimum. */
  readonly coverage: number | null
  readonly canary: CanarySettings
}

/** When a failure is planted to see whether a check can fail, and the command that plants it; null for our own ways. */
export interface CanarySettings {
  readonly when: 'changed' | 'always' | 'never'
  readonly plant: string | null
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

/** Place that needs a person's approval, and the tasks it applies to; an empty list matches all. */
export interface Breakpoint {
  /** Phase, or `landing`. */
  readonly before: string
  /** Globs of task ids. */
  readonly tasks: readonly string[]
  readonly weights: readonly Weight[]
  readonly milestones: readonly string[]
}

export interface JudgeSettings {
  /** API dialect of an endpoint, or `agent` to ask the agent of these settings. */
  readonly driver: string
  /** Model, or null for the agent's own. */
  readonly model: string | null
  /** Endpoint, or null when the judge is the agent. */
  readonly url: string | null
  /** API key as `$NAME`, or null when none is needed. */
  readonly key: string | null
  /** Time limit for an answer. */
  readonly timeoutMs: number
  /** True when the judge is asked about work that has passed its checks. */
  readonly opinions: boolean
  /** Minimum of each score, from 0 to 1. */
  readonly quality: number
}
