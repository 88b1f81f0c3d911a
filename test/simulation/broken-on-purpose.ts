import { attemptEffectsDue } from '../../src/core/attempt/effects-due.ts'
import type { AttemptEvent } from '../../src/core/model/attempt-event.ts'
import { accepted } from '../../src/core/model/input.ts'
import type { Finding } from '../../src/core/model/verdict.ts'
import { type StateMachines, stateMachines } from '../../src/engine/state-machines.ts'
import type { Store } from '../../src/ports/store.ts'
import type { CHECKERS } from './check-seed.ts'
import type { Breaks } from './world/play.ts'

/** Deliberate bug, and the checker that must notice it. */
export interface Break {
  readonly name: string
  readonly noticedBy: keyof typeof CHECKERS
  readonly breaks: Breaks
  /** First seed to play, where many before it show nothing. */
  readonly fromSeed?: number
}

const { run, attempt } = stateMachines

function withRun(changed: Partial<StateMachines['run']>): Breaks {
  return { pure: { attempt, run: { ...run, ...changed } } }
}

function withAttempt(changed: Partial<StateMachines['attempt']>): Breaks {
  return { pure: { run, attempt: { ...attempt, ...changed } } }
}

const NO_LIMITS = new Map()

/** Decides as if some findings of a check had not been reported. */
function withoutFindings(isDropped: (finding: Finding) => boolean): StateMachines['run']['decide'] {
  return (state, input, moment) => {
    if (input.kind !== 'report' || input.report.kind !== 'checked') return run.decide(state, input, moment)
    const { verdict } = input.report
    const findings = verdict.findings.filter((finding) => !isDropped(finding))
    const passed = verdict.passed || (findings.length === 0 && verdict.findings.length > 0)
    return run.decide(
      state,
      { ...input, report: { kind: 'checked', verdict: { ...verdict, passed, findings } } },
      moment,
    )
  }
}

export const BREAKS: readonly Break[] = [
  {
    name: 'a run uses one slot too many',
    noticedBy: 'slotsRespected',
    breaks: withRun({
      settle: (state, moment) => {
        const { settings } = state
        if (settings === null) return []
        const limits = { ...settings.limits, parallel: settings.limits.parallel + 1 }
        return run.settle({ ...state, settings: { ...settings, limits } }, moment)
      },
    }),
  },
  {
    name: 'tool calls are answered but not recorded',
    noticedBy: 'toolCallsRecorded',
    breaks: withAttempt({
      decide: (state, input, moment) =>
        input.kind === 'tool-called' ? accepted([]) : attempt.decide(state, input, moment),
    }),
  },
  {
    name: 'tasks lose their dependencies',
    noticedBy: 'dependenciesFirst',
    breaks: withRun({
      evolve: (state, event, at) =>
        run.evolve(state, event.kind === 'task-added' ? { ...event, task: { ...event.task, after: [] } } : event, at),
    }),
  },
  {
    name: 'a task is reverted under tasks that rest on it',
    fromSeed: 40,
    noticedBy: 'dependentsRevertedFirst',
    breaks: withRun({
      decide: (state, input, moment) => {
        const isRevert = input.kind === 'request' && input.request.kind === 'revert'
        if (!isRevert) return run.decide(state, input, moment)
        return run.decide(state, { ...input, request: { ...input.request, dependents: 'keep' } }, moment)
      },
    }),
  },
  {
    name: 'the next milestone does not wait for the summary of the last',
    noticedBy: 'summariesFirst',
    breaks: withRun({
      evolve: (state, event, at) => {
        const summary = { text: null, by: 'facts', why: '' } as const
        if (event.kind === 'landed')
          for (const progress of state.progress.values()) Object.assign(progress, { summary })
        run.evolve(state, event, at)
      },
    }),
  },
  {
    name: 'work that the judge rejected lands',
    noticedBy: 'opinionsAfterGreen',
    breaks: withAttempt({
      decide: (state, input, moment) => {
        const decision = attempt.decide(state, input, moment)
        const { commit, tree } = state
        const [opinion] = decision.kind === 'accepted' ? decision.events : []
        const isHeld = opinion?.kind === 'opinion-given' && opinion.decision !== 'proceed'
        if (!isHeld || commit === null || tree === null) return decision
        return accepted([opinion, { kind: 'ready-to-land', commit, tree }])
      },
    }),
  },
  {
    name: 'an unreadable review counts as a pass',
    noticedBy: 'reviewsPassFirst',
    breaks: withAttempt({
      decide: (state, input, moment) => {
        const decision = attempt.decide(state, input, moment)
        const { commit, tree } = state
        if (decision.kind !== 'accepted' || commit === null || tree === null) return decision
        const isAgain = (event: AttemptEvent) => event.kind === 'round-requested' && event.cause.kind === 'again'
        const passed: AttemptEvent = { kind: 'ready-to-land', commit, tree }
        return accepted(decision.events.map((event) => (isAgain(event) ? passed : event)))
      },
    }),
  },
  {
    name: 'a running task stays ready',
    noticedBy: 'oneLiveAttempt',
    breaks: withRun({
      evolve: (state, event, at) => {
        run.evolve(state, event, at)
        if (event.kind === 'attempt-started' && event.number === 1)
          for (const task of event.tasks) state.ready.add(task)
      },
    }),
  },
  {
    name: 'a stale report counts for the effect that is due',
    noticedBy: 'noStaleReports',
    breaks: withAttempt({
      decide: (state, input, moment) => {
        const due = attemptEffectsDue(state)[0]?.id
        const forged = input.kind === 'report' && due !== undefined ? { ...input, effect: due } : input
        return attempt.decide(state, forged, moment)
      },
    }),
  },
  {
    name: 'usage that is reported twice is counted twice',
    noticedBy: 'usageCountedOnce',
    breaks: withAttempt({
      decide: (state, input, moment) => {
        if (input.kind === 'usage') state.usageSeen.clear()
        return attempt.decide(state, input, moment)
      },
    }),
  },
  {
    name: 'usage of a cancelled round is dropped',
    noticedBy: 'usageCountedOnce',
    breaks: withAttempt({
      decide: (state, input, moment) =>
        input.kind === 'usage' && state.doing.kind !== 'round' ? accepted([]) : attempt.decide(state, input, moment),
    }),
  },
  {
    name: 'a candidate lands without checks',
    noticedBy: 'landsOnceVerified',
    breaks: withRun({
      evolve: (state, event, at) => {
        run.evolve(state, event, at)
        const [first] = state.landings
        if (event.kind === 'candidate-prepared' && first !== undefined) first.receipts = []
      },
    }),
  },
  {
    name: 'a failed check counts as passed',
    noticedBy: 'landsOnceVerified',
    breaks: withRun({
      decide: (state, input, moment) =>
        input.kind === 'report' && input.report.kind === 'checked'
          ? run.decide(
              state,
              { ...input, report: { kind: 'checked', verdict: { ...input.report.verdict, passed: true } } },
              moment,
            )
          : run.decide(state, input, moment),
    }),
  },
  {
    name: 'a check that does not notice a planted failure counts as a pass',
    noticedBy: 'deadChecksRefused',
    breaks: withRun({ decide: withoutFindings(({ source }) => source === 'canary') }),
  },
  {
    name: 'findings that need a person do not stop a landing',
    fromSeed: 26,
    noticedBy: 'guardedFilesApproved',
    breaks: withRun({ decide: withoutFindings(({ needsPerson }) => needsPerson) }),
  },
  {
    name: 'an attempt that landed leaves its workspace behind',
    noticedBy: 'workspacesReleased',
    breaks: withAttempt({
      effectsDue: (state, at) =>
        attempt
          .effectsDue(state, at)
          .map((effect) => (effect.kind === 'release-workspace' ? { ...effect, landed: false } : effect)),
    }),
  },
  {
    name: 'an attempt ignores its budget',
    noticedBy: 'spendBounded',
    breaks: withAttempt({
      decide: (state, input, moment) => {
        const { spec } = state
        if (input.kind !== 'usage' || spec === null) return attempt.decide(state, input, moment)
        return attempt.decide({ ...state, spec: { ...spec, allowance: null } }, input, moment)
      },
    }),
  },
  {
    name: 'a run never ends',
    noticedBy: 'endsOrNamesWait',
    breaks: withRun({
      settle: (state, moment) => run.settle(state, moment).filter((event) => event.kind !== 'run-ended'),
    }),
  },
  {
    name: 'the engine changes its state without recording an event',
    noticedBy: 'foldEqualsLive',
    breaks: withRun({
      decide: (state, input, moment) => {
        if (input.kind === 'tick') state.targetHeld = null
        return run.decide(state, input, moment)
      },
    }),
  },
  {
    name: 'usage limits are ignored',
    noticedBy: 'limitsRespected',
    breaks: withRun({ settle: (state, moment) => run.settle({ ...state, limits: NO_LIMITS }, moment) }),
  },
  {
    name: 'a paused run starts attempts',
    noticedBy: 'pauseRespected',
    breaks: withRun({ settle: (state, moment) => run.settle({ ...state, pausedAt: null }, moment) }),
  },
  {
    name: 'steering is repeated in every prompt',
    noticedBy: 'steeringDelivered',
    breaks: withAttempt({
      effectsDue: (state, at) => {
        const steering = state.steering.map((item) => ({ ...item, deliveredIn: state.rounds }))
        return attempt.effectsDue({ ...state, steering }, at)
      },
    }),
  },
  {
    name: 'a session continues after its hand-off',
    noticedBy: 'handOffsRespected',
    breaks: withAttempt({
      settle: (state, moment) =>
        attempt
          .settle(state, moment)
          .map((event) =>
            event.kind === 'round-started' && state.session !== null ? { ...event, session: state.session.id } : event,
          ),
    }),
  },
  {
    name: 'the note of a hand-off is lost',
    noticedBy: 'handOffsRespected',
    breaks: { store: (store) => ({ ...store, append: (batch) => store.append({ ...batch, blobs: new Map() }) }) },
  },
  {
    name: 'the lease goes away with the state',
    noticedBy: 'oneEngine',
    breaks: { locks: (locks) => locks.filter(({ isInState }) => isInState) },
  },
  {
    name: 'a read-only disk counts as trouble of the attempt',
    noticedBy: 'machineCostsNothing',
    breaks: { trouble: (problem) => ({ ...problem, code: 'git-failed' }) },
  },
  { name: 'a replaced engine goes on to append', noticedBy: 'oneEngine', breaks: { store: unfenced } },
  { name: 'an append stores only a part of its facts', noticedBy: 'factsWhole', breaks: { store: halfStored } },
  { name: 'a new writer does not fence off the old', noticedBy: 'oneWriter', breaks: { store: unfenced } },
]

/** Returns a store that loses the last fact of an append of several, and says that it has them all. */
function halfStored(store: Store): Store {
  return {
    ...store,
    append: (batch) => store.append(batch.events.length > 4 ? { ...batch, events: batch.events.slice(0, -1) } : batch),
  }
}

/** Returns a store that accepts appends from every writer. */
function unfenced(store: Store): Store {
  return {
    ...store,
    append: async (batch) => {
      const { epoch, seq } = await store.claim(batch.ledger)
      return store.append({ ...batch, epoch, after: seq })
    },
  }
}
