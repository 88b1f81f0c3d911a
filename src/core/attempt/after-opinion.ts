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

interface Checked {
  readonly commit: Commit
  readonly tree: Tree
}

/** What follows checks that passed: the judge's opinion where one is wanted, or the next phase. */
export function afterChecksPassed(state: AttemptState, work: Checked): readonly AttemptEvent[] {
  const { judge, workflow } = specOf(state)
  const isAsked = judge?.opinions === true && phaseOf(workflow, state.phase).by === 'script'
  if (!isAsked) return leavePhase(state, work, 'the checks passed')
  const spent = allowanceSpent(state)
  if (spent !== null) return unjudged(state, work, `${spent}, so the judge is not asked`)
  return [{ kind: 'opinion-requested', phase: state.phase, commit: work.commit }]
}

/** What follows a judge's opinion; without one the checks alone decide, and they have passed. */
export function afterOpinion(state: AttemptState, opinion: Opinion | null, why: string): readonly AttemptEvent[] {
  if (state.doing.kind !== 'asking-judge') return []
  const { commit, tree } = state.doing
  const { phase } = state
  const { judge, tasks, workflow } = specOf(state)
  if (opinion === null || judge === null) return unjudged(state, { commit, tree }, why)
  const mayReturn = phaseOf(workflow, phase).backTo !== null && state.returns < RETURNS_MAX
  const weighed = decideOnOpinion(opinion, { qualityMin: judge.quality, mayReturn })
  const { quality, confidence } = opinion
  const given: Given = { kind: 'opinion-given', phase, commit, quality, confidence, ...weighed }
  switch (weighed.decision) {
    case 'proceed':
      return [given, ...leavePhase(state, { commit, tree }, weighed.why)]
    case 'retry':
      return sentBack(state, given, findingsOf(opinion, weighed.why), tree)
    case 'clarify':
      return [given, waiting(askApproval(phase, weighed.why, tasks), weighed.why)]
    case 'escalate':
      return [given, waiting(askToAct(weighed.why, retryHint(lookAt(tasks), tasks)), weighed.why)]
  }
}

/** The checks alone decide, and they have passed. */
function unjudged(state: AttemptState, work: Checked, why: string): readonly AttemptEvent[] {
  const { phase } = state
  const given = { phase, commit: work.commit, quality: null, confidence: null, decision: 'proceed', why } as const
  return [{ kind: 'opinion-given', ...given }, ...leavePhase(state, work, 'the checks passed')]
}

function allowanceSpent({ spec, totals }: AttemptState): string | null {
  const allowance = spec?.allowance ?? null
  return allowance === null || totals.usd < allowance.usd ? null : `the ${allowance.budget}'s budget is used up`
}

/** An opinion alone fails nothing: where going back is pointless, a person says whether the work is good enough. */
function sentBack(
  state: AttemptState,
  given: Given,
  findings: readonly Finding[],
  tree: Tree,
): readonly AttemptEvent[] {
  const next = returnWork(state, given.phase, findings, tree)
  if (next.kind !== 'attempt-closing') return [given, next]
  const why = `nothing changed since the judge found the same: ${given.why}`
  return [{ ...given, decision: 'clarify', why }, waiting(askApproval(given.phase, why, specOf(state).tasks), why)]
}

type Given = Extract<AttemptEvent, { kind: 'opinion-given' }>

function lookAt(tasks: readonly Task[]): string {
  const said = (verb: string, more = '') => tasks.map(({ id }) => `"longhaul ${verb} ${id}${more}"`).join(', ')
  return `Look at the work (${said('show', ' --dossier')}, ${said('diff')}), and say what is wanted (${said('steer', ' TEXT')})`
}

function findingsOf({ findings }: Opinion, why: string): readonly Finding[] {
  return findings.length === 0 ? [finding('judge', why)] : findings.map((text) => finding('judge', text))
}
