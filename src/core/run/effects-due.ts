import { approvedFiles, guardOf } from '../checks/guarded-files.ts'
import type { Check, CheckoutSetting, EffectBase, RunEffect } from '../model/effect.ts'
import type { Task } from '../model/task.ts'
import { commitSubject } from '../model/title.ts'
import { checksOf } from '../phases/own-checks.ts'
import { budgetSpent } from './allowance.ts'
import { attemptSpec } from './attempt-spec.ts'
import { milestoneFacts } from './milestone-facts.ts'
import { attemptOf, type LandingRecord, type RunState, settingsOf, taskOf } from './state.ts'

/** Returns the effects that should be running for this run. */
export function runEffectsDue(state: RunState, at: number): readonly RunEffect[] {
  if (state.settings === null) return []
  return [
    ...lineDue(state),
    ...summariesDue(state, at),
    ...attemptsDue(state),
    ...landingDue(state),
    ...targetDue(state, at),
  ]
}

/** True when the baseline still has to be checked before the first attempt. */
export function needsBaseline(state: RunState): boolean {
  return state.baseline === null && checksOf(settingsOf(state).gates ?? [], []).length > 0
}

function lineDue(state: RunState): readonly RunEffect[] {
  const isIdle = state.endedAt !== null || state.tasks.size === 0 || state.lineHeld !== null
  if (isIdle) return []
  if (state.line === null) return [{ kind: 'open-line', target: state.target, ...repeatable('line', 'line') }]
  if (!needsBaseline(state) || state.lineTree === null) return []
  const checks = checksOf(settingsOf(state).gates ?? [], [])
  const effect = repeatable(`baseline:${state.checksAdopted}`, 'line')
  const { line: commit } = state.line
  const tree = state.lineTree
  return [
    {
      kind: 'check-baseline',
      commit,
      tree,
      checks,
      setting: checkoutSetting(state),
      canaries: state.canaries,
      ...effect,
    },
  ]
}

function summariesDue(state: RunState, at: number): readonly RunEffect[] {
  if (state.endedAt !== null) return []
  return [...state.unsummarized].map((milestone): RunEffect => {
    const { title = milestone, brief = '' } = state.milestones.get(milestone) ?? {}
    const times = (state.progress.get(milestone)?.summaries ?? 0) + 1
    const base = repeatable(`summarize:${milestone}:${times}`, `summarize:${milestone}`)
    const facts = milestoneFacts(state, milestone)
    const { judge, agent } = settingsOf(state)
    const whyNoJudge = judge === null ? 'no judge is configured' : (budgetSpent(state, at) ?? '')
    const judging = { judge: whyNoJudge === '' ? judge : null, whyNoJudge, agent }
    return { kind: 'summarize-milestone', milestone, title, brief, facts, ...judging, ...base }
  })
}

function attemptsDue(state: RunState): readonly RunEffect[] {
  const due: RunEffect[] = []
  for (const attempt of state.working) {
    const record = attemptOf(state, attempt)
    const base = repeatable(`work:${attempt}:${record.stretch}`, `work:${attempt}`)
    due.push({ kind: 'work-attempt', attempt, spec: attemptSpec(state, record), ...base })
  }
  for (const [messageId, { attempt, message }] of state.messages) {
    // A room per attempt keeps its messages in order.
    const base = repeatable(`message:${messageId}`, `message:${attempt}`)
    due.push({ kind: 'tell-attempt', attempt, messageId, message, ...base })
  }
  return due
}

function landingDue(state: RunState): readonly RunEffect[] {
  const [landing] = state.landings
  if (landing === undefined || state.line === null || state.lineHeld !== null) return []
  const { id, subject, candidate } = landing
  if (candidate === null) {
    const order = {
      target: state.target,
      line: state.line.line,
      lastTarget: state.line.target,
      mode: settingsOf(state).landing.mode,
      message: landingMessage(state, landing),
    }
    const base = repeatable(`prepare:${id}:${subject.commit}:${landing.stale}`, 'landing')
    return [{ kind: 'prepare-candidate', landing: id, subject, order, ...base }]
  }
  const { line, commit, tree } = candidate
  if (landing.receipts === null) {
    const base = repeatable(`check:${commit}:${state.checksAdopted}`, 'landing')
    const checks = checksFor(state, landing)
    const from = subject.kind === 'attempt' ? candidate.base : null
    const guard = guardOf(settingsOf(state), tasksOf(state, landing))
    const setting = checkoutSetting(state)
    const order = { target: state.target, base: from, commit, tree, checks, guard, setting, canaries: state.canaries }
    return [{ kind: 'check-candidate', landing: id, ...order, ...base }]
  }
  const base = repeatable(`advance:${commit}`, 'landing')
  return [{ kind: 'advance-line', landing: id, target: state.target, from: line, to: commit, ...base }]
}

function targetDue(state: RunState, at: number): readonly RunEffect[] {
  if (state.line === null || state.line.line === state.line.target) return []
  const held = state.targetHeld
  if (held !== null && held.commit === state.line.line && held.until > at) return []
  const { line: commit, target: lastSeen } = state.line
  const base = repeatable(`follow:${commit}:${held?.tries ?? 0}`, 'target')
  return [{ kind: 'follow-target', target: state.target, commit, lastSeen, ...base }]
}

function checksFor(state: RunState, landing: LandingRecord): readonly Check[] {
  return checksOf(settingsOf(state).gates ?? [], tasksOf(state, landing))
}

/** Returns the tasks whose work lands; none for reverts and syncs. */
function tasksOf(state: RunState, { subject }: LandingRecord): readonly Task[] {
  return subject.kind === 'attempt' ? [taskOf(state, attemptOf(state, subject.attempt).task).task] : []
}

function checkoutSetting(state: RunState): CheckoutSetting {
  const { workspace, time } = settingsOf(state)
  return { setup: workspace.setup, setupMs: time.setupMs }
}

function landingMessage(state: RunState, { subject }: LandingRecord): string {
  if (subject.kind === 'sync') return `Merge ${state.target} with the landed work\n`
  if (subject.kind === 'revert') {
    const { task } = taskOf(state, subject.task)
    return `Revert "${commitSubject(task)}"\n\nThis reverts commit ${subject.commit}.\n\nTask-Id: ${task.id}\nReverts: ${subject.commit}\n`
  }
  const { task } = taskOf(state, attemptOf(state, subject.attempt).task)
  const approved = approvedFiles(attemptOf(state, subject.attempt).allowed).map((file) => `Approved: ${file}\n`)
  return `${commitSubject(task)}\n\nTask-Id: ${task.id}\nAttempt: ${subject.attempt}\n${approved.join('')}`
}

function repeatable(id: string, room: string): EffectBase {
  return { id, class: 'repeatable', room, saves: false }
}
