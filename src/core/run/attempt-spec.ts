import { guardOf } from '../checks/guarded-files.ts'
import type { AttemptBounds, AttemptLimits, AttemptRules, AttemptSpec, MilestoneSummary } from '../model/attempt.ts'
import type { MilestoneId } from '../model/ids.ts'
import type { Breakpoint, Settings } from '../model/settings.ts'
import type { Task } from '../model/task.ts'
import { agentsOf } from '../phases/workflows.ts'
import { globPattern } from '../reading/text.ts'
import { milestonesBefore } from '../schedule/graph-queries.ts'
import { type AttemptRecord, type RunState, settingsOf, taskOf } from './state.ts'

/** Builds the specification of an attempt from the run's facts. */
export function attemptSpec(state: RunState, record: AttemptRecord): AttemptSpec {
  if (state.id === null) throw new Error('the run has not been opened')
  const settings = settingsOf(state)
  const { task, alreadyGreen } = taskOf(state, record.task)
  const workflow = settings.workflows[task.weight]
  return {
    attempt: record.attempt,
    run: state.id,
    number: record.number,
    tasks: [task],
    milestone: task.milestone === null ? null : (state.milestones.get(task.milestone) ?? null),
    before: summariesBefore(state, task.milestone),
    target: state.target,
    base: record.base,
    agent: settings.agent,
    workflow,
    agents: agentsOf(workflow, settings),
    workspace: settings.workspace,
    allowance: record.allowance,
    ...attemptRules(settings, task, record.limits),
    retryBrief: record.retryBrief,
    knowledge: record.knowledge,
    alreadyGreen: alreadyGreen.filter((command) => task.verify.includes(command)),
  }
}

/** Returns the rules of an attempt under these settings. */
export function attemptRules(settings: Settings, task: Task, limits: AttemptLimits): AttemptRules {
  const { context, gates, judge, prices, prompts, uiTests } = settings
  return {
    context,
    gates: gates ?? [],
    guard: guardOf(settings, [task]),
    breakpoints: breakpointsFor(task, settings.breakpoints),
    judge,
    bounds: boundsOf(settings, limits),
    prices,
    prompts,
    uiTests,
  }
}

/** Returns the summaries of the milestones right before one. */
function summariesBefore(state: RunState, milestone: MilestoneId | null): readonly MilestoneSummary[] {
  if (milestone === null || !state.milestones.has(milestone)) return []
  return milestonesBefore(state.graph, milestone).flatMap((id) => {
    const summary = state.progress.get(id)?.summary?.text ?? null
    return summary === null ? [] : [{ id, title: state.milestones.get(id)?.title ?? id, summary }]
  })
}

/** Returns the breakpoints that apply to a task. */
function breakpointsFor(task: Task, breakpoints: readonly Breakpoint[]): readonly string[] {
  const applies = ({ tasks, weights, milestones }: Breakpoint) =>
    (tasks.length === 0 || tasks.some((glob) => globPattern(glob).test(task.id))) &&
    (weights.length === 0 || weights.includes(task.weight)) &&
    (milestones.length === 0 || (task.milestone !== null && milestones.includes(task.milestone)))
  return [...new Set(breakpoints.filter(applies).map(({ before }) => before))]
}

function boundsOf(settings: Settings, own: AttemptLimits): AttemptBounds {
  const { turns, time, limits } = settings
  return {
    turnsMax: own.turns,
    turnsWhy: own.turnsWhy,
    turnRetries: turns.retries,
    turnMultiplier: turns.multiplier,
    handOffsMax: limits.handOffs,
    responseMs: own.roundMs,
    taskMs: own.taskMs,
    silenceMs: time.silenceMs,
    setupMs: time.setupMs,
    hookMs: time.hookMs,
    errorDelayMs: limits.errorDelayMs,
    errorDelayMsMax: limits.errorDelayMsMax,
    limitDelayMs: limits.limitDelayMs,
    limitDelayMsMax: limits.limitDelayMsMax,
  }
}
