import type { AttemptEffect, EffectBase, RoundOrder } from '../model/effect.ts'
import { commitSubject } from '../model/title.ts'
import { checksOf } from '../phases/own-checks.ts'
import { phaseOf } from '../phases/workflows.ts'
import { COMPACT_GUIDANCE, handOffDigests, NOTE_REQUEST } from '../prompts/hand-off.ts'
import { summaryDigests } from '../prompts/milestone.ts'
import { continuePrompt, openingPrompt } from '../prompts/round-prompts.ts'
import { type Steering, withSteering } from '../prompts/steering.ts'
import { textDigestsIn } from '../prompts/text-placeholder.ts'
import { checksIn } from './phase-flow.ts'
import { type AttemptState, type Doing, specOf } from './state.ts'
import { steeringEffectsDue } from './steering.ts'

/** Returns the effects due for an attempt: at most one in its workspace, and messages to the agent that runs there. */
export function attemptEffectsDue(state: AttemptState): readonly AttemptEffect[] {
  const { doing } = state
  switch (doing.kind) {
    case 'workspace': {
      const id = `workspace:${state.workspaces + 1}`
      return [{ kind: 'ensure-workspace', spec: specOf(state), commit: doing.commit, ...repeatable(id, false) }]
    }
    case 'trying-verify': {
      const spec = specOf(state)
      return [{ kind: 'try-verify', spec, checks: checksOf([], spec.tasks), ...repeatable('verify', false) }]
    }
    case 'round':
      return [
        { kind: 'run-round', round: roundOrder(state, doing), ...once(`round:${doing.round}`) },
        ...steeringEffectsDue(state, doing.round),
        ...handOver(state),
      ]
    case 'checkpoint':
      return [checkpoint(state)]
    case 'checking': {
      const spec = specOf(state)
      const base = repeatable(`checks:${state.verdicts + 1}`, false)
      const { commit, tree } = doing
      return [{ kind: 'run-checks', spec, commit, tree, checks: checksIn(spec, state.phase), ...base }]
    }
    case 'asking-judge': {
      const spec = specOf(state)
      const base = repeatable(`opinion:${state.opinions + 1}`, false)
      const { commit } = doing
      if (spec.judge === null) throw new Error('no judge is configured')
      return [{ kind: 'ask-judge', spec, commit, receipts: state.receipts, judge: spec.judge, ...base }]
    }
    case 'closing': {
      const spec = specOf(state)
      const commit = state.landedAs ?? state.commit ?? spec.base
      return [
        { kind: 'release-workspace', spec, landed: doing.outcome === 'landed', commit, ...repeatable('release', true) },
      ]
    }
    default:
      return []
  }
}

function repeatable(id: string, saves: boolean): EffectBase {
  return { id, class: 'repeatable', room: 'workspace', saves }
}

function once(id: string): EffectBase {
  return { id, class: 'once', room: 'workspace', saves: false }
}

function handOver({ doing, spec }: AttemptState): readonly AttemptEffect[] {
  if (doing.kind !== 'round' || doing.handOver === null || spec === null) return []
  const { round, handOver: when } = doing
  const base = { ...repeatable(`hand-over:${round}:${when}`, true), room: 'hand-over' }
  return [{ kind: 'hand-over', attempt: spec.attempt, round, when, ...base }]
}

function checkpoint(state: AttemptState): AttemptEffect {
  const spec = specOf(state)
  const includesHistory = state.doing.kind === 'checkpoint' && state.doing.end.kind === 'context-exhausted'
  const subject = spec.tasks.map(commitSubject).join(', ')
  const base = repeatable(`checkpoint:${state.checkpoints + 1}`, true)
  return {
    ...base,
    kind: 'checkpoint',
    spec,
    message: subject,
    last: state.commit ?? spec.base,
    amends: state.amendable,
    includesHistory,
  }
}

function roundOrder(state: AttemptState, doing: Extract<Doing, { kind: 'round' }>): RoundOrder {
  const spec = specOf(state)
  const [task] = spec.tasks
  if (task === undefined || state.session === null) throw new Error('a round needs a task and a session')
  return {
    attempt: spec.attempt,
    task,
    number: spec.number,
    phase: state.phase,
    role: phaseOf(spec.workflow, state.phase).role,
    phaseRound: state.phaseRounds[state.phase] ?? 0,
    round: doing.round,
    session: state.session.id,
    sessionKnown: state.session.isOpen,
    ...promptsOf(state, doing),
    texts: [
      ...handOffDigests(state.handOff),
      ...state.outputs.values(),
      ...summaryDigests(spec),
      ...textDigestsIn(spec.retryBrief ?? ''),
    ],
    noteRequest: NOTE_REQUEST,
    context: { policy: spec.context.policy, guidance: COMPACT_GUIDANCE },
    agent: spec.agents[state.phase] ?? spec.agent,
    turnsMax: doing.turnsMax,
    silenceMs: spec.bounds.silenceMs,
    hookMs: spec.bounds.hookMs,
    hooks: spec.workspace.hooks,
    budgetUsd: spec.allowance === null ? null : Math.max(0, spec.allowance.usd - state.totals.usd),
  }
}

interface Prompts {
  readonly prompt: string
  readonly opening: string
}

/** Builds the prompts of a round. Cached, because every step asks and only steering changes them. */
function promptsOf(state: AttemptState, doing: Extract<Doing, { kind: 'round' }>): Prompts {
  const delivered = state.steering.filter(({ deliveredIn }) => deliveredIn !== null)
  const key = `${doing.round} ${delivered.length}`
  const cached = PROMPT_CACHE.get(state)
  if (cached?.key === key) return cached.prompts
  const review = state.isDeciding ? (state.reports.review?.report ?? null) : null
  const reviewToDecide = review?.kind === 'review' ? review.review : null
  const situation = { ...state, spec: specOf(state), cause: doing.cause, review: reviewToDecide }
  const isOfRound = ({ deliveredIn }: Steering) => deliveredIn === doing.round
  const prompts = {
    prompt: withSteering(continuePrompt(situation), delivered.filter(isOfRound)),
    opening: withSteering(openingPrompt(situation), delivered),
  }
  PROMPT_CACHE.set(state, { key, prompts })
  return prompts
}

const PROMPT_CACHE = new WeakMap<AttemptState, { readonly key: string; readonly prompts: Prompts }>()
