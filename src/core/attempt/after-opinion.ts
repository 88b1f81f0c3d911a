import { RETURNS_MAX } from '../limits/limits.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { Commit, Tree } from '../model/ids.ts'
import type { Opinion } from '../model/opinion.ts'
import type { Task } from '../model/task.ts'
import { type Finding, finding } from '../model/verdict.ts'
import { decideOnOpinion } from '../phases/decide-on-opinion.ts'
import { phaseOf } from '../phases/workflows.ts'
import { askApproval, askToAct, retryHint } from './ask-person.ts'
import { leavePhase, returnWork, waiting } from './phase-flow.ts'
import { type AttemptState, specOf } from './state.ts'

interface CheckedWork {
  readonly commit: Commit
  readonly tree: Tree
}

/** Decides what follows passed checks: a request to the judge where settings ask for it, or the next phase. */
export function afterChecksPassed(state: AttemptState, work: CheckedWork): readonly AttemptEvent[] {
  const { judge, workflow } = specOf(state)
  const isAsked = judge?.opinions === true && phaseOf(workflow, state.phase).by === 'script'
  if (!isAsked) return leavePhase(state, work, 'the checks passed')
  const spent = allowanceSpent(state)
  if (spent !== null) return unjudged(state, work, `${spent}, so the judge is not asked`)
  return [{ kind: 'opinion-requested', phase: state.phase, commit: work.commit }]
}

/** Decides what follows a judge's opinion; without one the passed checks decide. */
export function afterOpinion(state: AttemptState, opinion: Opinion | null, why: string): readonly AttemptEvent[] {
  if (state.doing.kind !== 'asking-judge') return []
  const { commit, tree } = state.doing
  const { phase } = state
  const { judge, tasks, workflow } = specOf(state)
  if (opinion === null || judge === null) return unjudged(state, { commit, tree }, why)
  const mayReturn = phaseOf(workflow, phase).backTo !== null && state.returns < RETURNS_MAX
  const { decision, why: reason } = decideOnOpinion(opinion, { qualityMin: judge.quality, mayReturn })
  const { quality, confidence } = opinion
  const recorded: OpinionGiven = { kind: 'opinion-given', phase, commit, quality, confidence, decision, why: reason }
  switch (decision) {
    case 'proceed':
      return [recorded, ...leavePhase(state, { commit, tree }, reason)]
    case 'retry':
      return sentBack(state, recorded, findingsOf(opinion, reason), tree)
    case 'clarify':
      return [recorded, waiting(askApproval(phase, reason, tasks), reason)]
    case 'escalate':
      return [recorded, waiting(askToAct(reason, retryHint(lookAt(tasks), tasks)), reason)]
  }
}

/** Records that there is no opinion; the passed checks decide. */
function unjudged(state: AttemptState, work: CheckedWork, why: string): readonly AttemptEvent[] {
  const { phase } = state
  const scores = { quality: null, confidence: null } as const
  const recorded: OpinionGiven = {
    kind: 'opinion-given',
    phase,
    commit: work.commit,
    ...scores,
    decision: 'proceed',
    why,
  }
  return [recorded, ...leavePhase(state, work, 'the checks passed')]
}

function allowanceSpent({ spec, totals }: AttemptState): string | null {
  const allowance = spec?.allowance ?? null
  return allowance === null || totals.usd < allowance.usd ? null : `the ${allowance.budget}'s budget is used up`
}

/** Sends work back; an opinion alone fails nothing, so a person decides where that would be pointless. */
function sentBack(
  state: AttemptState,
  opinion: OpinionGiven,
  findings: readonly Finding[],
  tree: Tree,
): readonly AttemptEvent[] {
  const next = returnWork(state, opinion.phase, findings, tree)
  if (next.kind !== 'attempt-closing') return [opinion, next]
  const why = `nothing changed since the judge found the same: ${opinion.why}`
  return [{ ...opinion, decision: 'clarify', why }, waiting(askApproval(opinion.phase, why, specOf(state).tasks), why)]
}

type OpinionGiven = Extract<AttemptEvent, { kind: 'opinion-given' }>

function lookAt(tasks: readonly Task[]): string {
  const command = (verb: string, more = '') => tasks.map(({ id }) => `"longhaul ${verb} ${id}${more}"`).join(', ')
  return `Look at the work (${command('show', ' --dossier')}, ${command('diff')}), give directions (${command('steer', ' TEXT')})`
}

function findingsOf({ findings }: Opinion, why: string): readonly Finding[] {
  return findings.length === 0 ? [finding('judge', why)] : findings.map((text) => finding('judge', text))
}
