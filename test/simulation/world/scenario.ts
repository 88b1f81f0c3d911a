import { loadSettings } from '../../../src/config/load.ts'
import type { RoundOrder } from '../../../src/core/model/effect.ts'
import type { MilestoneId, TaskId } from '../../../src/core/model/ids.ts'
import type { AgentEndKind } from '../../../src/core/model/round.ts'
import { PLAIN_AGENT, PLAIN_SANDBOX, type Settings } from '../../../src/core/model/settings.ts'
import { type Backlog, type Task, WEIGHTS } from '../../../src/core/model/task.ts'
import type { ToolCall } from '../../../src/core/model/tool-call.ts'
import { JUDGE } from '../../given/given-attempt.ts'
import { PLAIN_WORKFLOWS } from '../../given/plain-workflows.ts'
import { Random } from './random.ts'
import type { SimStep } from './sim-agent.ts'
import { ALIVE, DEAD, GATE_SCRIPT, gateSettings } from './sim-gate.ts'
import { reportSteps, writesReport } from './sim-reports.ts'

/** Kinds of injected faults. */
export type Fault = 'crash' | 'trouble' | 'full-disk' | 'jump' | 'survivor' | 'second-engine' | StorageFault

/** Storage that is moved away or replaced under a live engine, turns read-only, or refuses what it has stored. */
type StorageFault = 'vanish' | 'read-only' | 'torn'

/** File of the user that simulated agents sometimes write. */
export const GUARDED_FILE = 'AGENTS.md'

/** Settings, backlog and fault rates of one seed's world. */
export interface Scenario {
  readonly backlog: Backlog
  readonly settings: Settings
  readonly faults: Readonly<Record<Fault, number>>
  /** Times a person helps when the run waits for one. */
  readonly helpsMax: number
  /** Chance per step that a person sends pause, skip, stop or steer to a working engine. */
  readonly requestChance: number
  /** True when the lease fails, so that a second engine can start while the first lives. */
  readonly isLeaseBroken: boolean
  readonly usdPerTurn: number
  /** True when agents write files of the user and kill the gate, and the user kills it by mistake. */
  readonly meddles: boolean
  stepsFor(order: RoundOrder, random: Random, now: number): readonly SimStep[]
}

/** Derives a scenario from a seed. */
export function scenarioOf(seed: number): Scenario {
  const random = new Random(seed)
  const isCalm = random.chance(0.15)
  const isLeaseBroken = random.chance(0.1)
  const trust = random.pick([0.95, 0.8, 0.6])
  const usdPerTurn = 0.1
  const meddles = random.chance(0.25)
  return {
    backlog: backlogOf(random),
    settings: { ...settingsOf(random), workflows: workflowsOf(seed) },
    faults: {
      crash: isCalm ? 0 : random.pick([0.002, 0.006, 0.015]),
      trouble: isCalm ? 0 : 0.01,
      'full-disk': isCalm ? 0 : random.pick([0, 0, 0.003]),
      jump: isCalm ? 0 : random.pick([0, 0.002]),
      survivor: 0.5,
      'second-engine': isLeaseBroken ? 0.004 : 0.002,
      ...(isCalm ? NO_STORAGE_FAULTS : storageFaultsOf(seed)),
    },
    helpsMax: 6,
    requestChance: random.pick([0, 0.002, 0.01]),
    isLeaseBroken,
    usdPerTurn,
    meddles,
    stepsFor: (order, chance, now) => stepsFor(order, chance, now, { trust, meddles }),
  }
}

const NO_STORAGE_FAULTS: Readonly<Record<StorageFault, number>> = { vanish: 0, 'read-only': 0, torn: 0 }

/** Rates of the faults of storage, from a random sequence of their own: other worlds stay as they are. */
function storageFaultsOf(seed: number): Readonly<Record<StorageFault, number>> {
  const random = new Random(seed * 31 + 7)
  return {
    vanish: random.pick([0, 0, 0.002]),
    'read-only': random.pick([0, 0, 0.001]),
    torn: random.pick([0, 0, 0.004]),
  }
}

/** Every fifth world uses the workflows that ship, which take three times as long; the others use short ones. */
function workflowsOf(seed: number): Settings['workflows'] {
  return seed % 5 === 0 ? SHIPPED : PLAIN_WORKFLOWS
}

const SHIPPED = shippedWorkflows()

function shippedWorkflows(): Settings['workflows'] {
  const loaded = loadSettings({ file: null, text: null })
  if (loaded.kind === 'wrong') throw new Error('the default settings cannot be read')
  return loaded.settings.workflows
}

function backlogOf(random: Random): Backlog {
  const hasMilestones = random.chance(0.3)
  const milestones = hasMilestones
    ? ['m1', 'm2'].map((id) => ({ id: id as MilestoneId, title: id, brief: '', after: null }))
    : []
  const count = 2 + random.below(7)
  const tasks: Task[] = []
  for (let n = 0; n < count; n += 1) {
    const milestone = hasMilestones ? (n < count / 2 ? 'm1' : 'm2') : null
    tasks.push({
      id: `t${n}` as TaskId,
      title: `task ${n}`,
      brief: `do part ${n}`,
      after: tasks.filter(() => random.chance(0.25)).map((task) => task.id),
      weight: random.pick(WEIGHTS),
      type: null,
      milestone: milestone as MilestoneId | null,
      priority: random.below(3),
      acceptance: [],
      verify: random.pick([[], [], [], [], [`test -f t${n}.txt`], ['test -f README']]),
      mayChange: random.chance(0.1) ? [GUARDED_FILE] : [],
      files: [],
    })
  }
  return { milestones, tasks }
}

function settingsOf(random: Random): Settings {
  const isBudgeted = random.chance(0.3)
  return {
    sources: ['longhaul.yaml'],
    target: null,
    agent: { ...PLAIN_AGENT, driver: 'sim' },
    roles: {},
    context: { warn: 0.7, handOff: 0.8, critical: 0.95, cap: 250_000, policy: 'hand-off' },
    turns: { preset: 'default', min: 3, max: 8, retries: 1, multiplier: 2 },
    time: { responseMs: 120_000, taskMs: 3_600_000, setupMs: 1000, hookMs: 1000, silenceMs: 40_000 },
    budget: {
      taskUsd: isBudgeted ? random.pick([0.45, 2]) : null,
      runUsd: isBudgeted ? random.pick([1, 3]) : null,
      dayUsd: isBudgeted && random.chance(0.3) ? 2 : null,
    },
    limits: {
      parallel: 1 + random.below(3),
      coding: 5,
      total: 10,
      attempts: 3,
      handOffs: 2,
      errorDelayMs: 500,
      errorDelayMsMax: 5_000,
      limitDelayMs: 1_000,
      limitDelayMsMax: 20_000,
    },
    gates: random.chance(0.85) ? [gateSettings(random.chance(0.8) ? 'changed' : 'always')] : [],
    workspace: { setup: [], hooks: { afterCreate: null, beforeRun: null, afterRun: null, beforeRemove: null } },
    landing: { mode: random.chance(0.8) ? 'merge' : 'squash' },
    sandbox: PLAIN_SANDBOX,
    judge: random.chance(0.6) ? { ...JUDGE, opinions: random.chance(0.5) } : null,
    // A turn of a simulated agent costs ten cents.
    prices: { scripted: { input: 100, output: 0, cacheRead: 0, cacheWrite: 0 } },
    prompts: {},
    uiTests: false,
    breakpoints: [],
    workflows: PLAIN_WORKFLOWS,
  }
}

const ODD_ENDS: readonly AgentEndKind[] = [
  ...(['rate-limited', 'overloaded', 'crashed', 'max-turns', 'truncated', 'context-exhausted'] as const),
  ...(['unknown', 'refused', 'auth', 'timeout', 'budget'] as const),
]

function stepsFor(
  order: RoundOrder,
  random: Random,
  now: number,
  { trust, meddles }: { readonly trust: number; readonly meddles: boolean },
): readonly SimStep[] {
  if (writesReport(order.role)) {
    const before = [usage(random), usage(random, random.pick(CONTEXT_TOKENS)), ...reportSteps(order, random)]
    return [...before, oddEnd(random, now, trust) ?? { kind: 'end', end: 'ok', claim: { kind: 'done' }, resetAt: null }]
  }
  const steps: SimStep[] = []
  const isGood = random.chance(trust)
  const work = {
    kind: 'write' as const,
    path: `${order.task.id}.txt`,
    text: `${isGood ? 'good' : 'bad'} ${order.round}`,
  }
  steps.push(usage(random))
  if (/git merge/.test(order.prompt) && random.chance(0.7)) steps.push({ kind: 'merge' })
  if (random.chance(0.92)) steps.push(work)
  if (random.chance(0.12))
    steps.push({ kind: 'write', path: 'shared.txt', text: `shared by ${order.task.id} ${order.round}` })
  if (meddles) steps.push(...meddling(order, random))
  for (let n = random.below(4); n > 0; n -= 1) steps.push(usage(random, random.pick(CONTEXT_TOKENS)))
  if (random.chance(0.7)) steps.push({ kind: 'note', text: random.pick(NOTES) })
  if (random.chance(0.2)) steps.push({ kind: 'call', call: learning(order) })
  if (random.chance(0.1)) steps.push({ kind: 'call', call: proposing(order) })
  if (random.chance(0.02)) steps.push({ kind: 'hang' })
  const odd = oddEnd(random, now, trust)
  if (odd !== null) return [...steps, odd]
  const claim = random.chance(0.88)
    ? ({ kind: 'done' } as const)
    : random.pick([{ kind: 'continue' } as const, { kind: 'blocked', reason: 'needs a key' } as const])
  if (random.chance(0.5)) return [...steps, { kind: 'end', end: 'ok', claim, resetAt: null }]
  const report = { kind: 'call', call: { kind: 'report', claim } } as const
  return [...steps, report, { kind: 'end', end: 'ok', claim: null, resetAt: null }]
}

/** Writes a file of the user or a dead gate now and then, and mostly undoes it when the prompt objects. */
function meddling({ task, round, prompt }: RoundOrder, random: Random): readonly SimStep[] {
  const steps: SimStep[] = []
  const undoes = random.chance(0.6)
  if (undoes && prompt.includes(GUARDED_FILE)) steps.push({ kind: 'delete', path: GUARDED_FILE })
  else if (random.chance(0.08)) steps.push({ kind: 'write', path: GUARDED_FILE, text: `by ${task.id} ${round}` })
  if (undoes && /cannot fail any more|check\.sh/.test(prompt))
    steps.push({ kind: 'write', path: GATE_SCRIPT, text: ALIVE })
  else if (random.chance(0.05)) steps.push({ kind: 'write', path: GATE_SCRIPT, text: DEAD })
  return steps
}

function oddEnd(random: Random, now: number, trust: number): SimStep | null {
  if (!random.chance(1 - trust)) return null
  const end = random.pick(ODD_ENDS)
  const resetAt = end === 'rate-limited' && random.chance(0.6) ? now + random.below(30_000) : null
  return { kind: 'end', end, claim: null, resetAt }
}

function learning({ attempt, round }: RoundOrder): ToolCall {
  return { kind: 'learn', knowledge: { text: `learned in ${attempt}, round ${round}`, files: [] } }
}

function proposing({ task }: RoundOrder): ToolCall {
  const proposal = { title: 'Then that', brief: '', after: [task.id], acceptance: [], verify: ['false'] }
  return { kind: 'propose', proposal: { ...proposal, id: `after-${task.id}` as TaskId } }
}

/** Tokens already in the context of a call; windows hold 200,000. */
const CONTEXT_TOKENS: readonly number[] = [0, 0, 0, 0, 100_000, 145_000, 165_000, 195_000]

const NOTES: readonly string[] = [
  '## Goal\na\n## Completed\nb\n## Remaining\nc\n## Do not redo\nd\n## Decisions\ne',
  'I was nearly done.',
  ' ',
]

function usage(random: Random, cacheRead = 0): SimStep {
  const tokens = { input: 1000, cacheRead, cacheWrite: 0, output: 0 }
  return { kind: 'usage', usage: { tokens, window: 200_000 }, twice: random.chance(0.2) }
}
