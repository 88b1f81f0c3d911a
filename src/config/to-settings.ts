import type { GateSettings, JudgeSettings, LimitSettings, Settings, TimeSettings } from '../core/model/settings.ts'
import { ceilingsOf, delaysMaxOf, judgeSecondsOf, sandboxRequired, turnBoundsOf } from './dependent-defaults.ts'
import type { WrittenSettings } from './schema.ts'
import { agentOf, roleOf } from './to-agent.ts'
import { workflowsOf } from './to-workflows.ts'

/** Converts settings to the core's form: its names, and milliseconds. */
export function toSettings(written: WrittenSettings): Settings {
  const { context, turns, budget, workspace } = written
  return {
    sources: sourcesOf(written),
    target: written.target,
    agent: agentOf(written.agent),
    roles: rolesOf(written.roles),
    context: {
      warn: context.warn,
      handOff: context.hand_off,
      critical: context.critical,
      cap: context.cap,
      policy: context.policy,
    },
    turns: { preset: turns.preset, ...turnBoundsOf(turns), retries: turns.retries, multiplier: turns.multiplier },
    time: timeOf(written.time),
    budget: { taskUsd: budget.task_usd, runUsd: budget.run_usd, dayUsd: budget.day_usd },
    limits: limitsOf(written.limits),
    gates: written.gates?.map(gateOf) ?? null,
    workspace: {
      setup: workspace.setup,
      hooks: {
        afterCreate: workspace.hooks.after_create,
        beforeRun: workspace.hooks.before_run,
        afterRun: workspace.hooks.after_run,
        beforeRemove: workspace.hooks.before_remove,
      },
    },
    landing: written.landing,
    sandbox: sandboxOf(written.sandbox),
    judge: judgeOf(written.judge),
    prices: pricesOf(written.prices),
    // File names for now; withPrompts replaces them with the texts.
    prompts: written.prompts,
    uiTests: written.ui_tests,
    breakpoints: written.breakpoints,
    workflows: workflowsOf(written.workflows),
  }
}

function sandboxOf({ required, web, ...same }: WrittenSettings['sandbox']): Settings['sandbox'] {
  return { ...same, required: sandboxRequired({ ...same, required }), web: web === 'on' }
}

function rolesOf(roles: WrittenSettings['roles']): Settings['roles'] {
  return Object.fromEntries(Object.entries(roles).flatMap(([name, role]) => (role ? [[name, roleOf(role)]] : [])))
}

function timeOf(time: WrittenSettings['time']): TimeSettings {
  return {
    responseMs: toMs(time.response),
    taskMs: toMs(time.task),
    setupMs: toMs(time.setup),
    hookMs: toMs(time.hook),
    silenceMs: toMs(time.silence),
  }
}

function limitsOf(limits: WrittenSettings['limits']): LimitSettings {
  const delaysMax = delaysMaxOf(limits)
  return {
    ...ceilingsOf(limits),
    attempts: limits.attempts,
    handOffs: limits.hand_offs,
    errorDelayMs: toMs(limits.error_delay),
    errorDelayMsMax: toMs(delaysMax.error),
    limitDelayMs: toMs(limits.limit_delay),
    limitDelayMsMax: toMs(delaysMax.limit),
  }
}

function sourcesOf({ agent, roles, prompts }: WrittenSettings): readonly string[] {
  const scripts = [agent, ...Object.values(roles)].flatMap((one) => one?.script ?? [])
  return [...new Set(['longhaul.yaml', ...Object.values(prompts), ...scripts].map((file) => file.replace(/^\.\//, '')))]
}

function gateOf(gate: NonNullable<WrittenSettings['gates']>[number]): GateSettings {
  return {
    name: gate.name,
    run: gate.run,
    onFail: gate.on_fail,
    timeoutMs: toMs(gate.timeout),
    protect: gate.protect,
    coverage: gate.coverage,
    canary: canaryOf(gate.canary),
  }
}

function canaryOf(text: string): GateSettings['canary'] {
  if (text === 'changed' || text === 'always' || text === 'never') return { when: text, plant: null }
  const isPatch = /\.(?:patch|diff)$/.test(text) && !/\s/.test(text)
  return { when: 'changed', plant: isPatch ? `git apply --whitespace=nowarn ${text}` : text }
}

function judgeOf(judge: WrittenSettings['judge']): JudgeSettings | null {
  if (judge === null) return null
  const { timeout, ...same } = judge
  return { ...same, timeoutMs: toMs(timeout ?? judgeSecondsOf(judge.driver)) }
}

function pricesOf(prices: WrittenSettings['prices']): Settings['prices'] {
  return Object.fromEntries(
    Object.entries(prices).map(([model, { input, output, cache_read, cache_write }]) => {
      return [model, { input, output, cacheRead: cache_read, cacheWrite: cache_write }]
    }),
  )
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1000)
}
