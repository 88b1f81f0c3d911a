import { createHash } from 'node:crypto'
import type { RunEffect } from '../src/core/model/effect.ts'
import type { AttemptId, Commit, RequestId, RunId, Tree } from '../src/core/model/ids.ts'
import type { Moment, Request, RunInput, RunReport } from '../src/core/model/input.ts'
import type { RunEvent } from '../src/core/model/run-event.ts'
import type { Settings } from '../src/core/model/settings.ts'
import type { Backlog } from '../src/core/model/task.ts'
import { PLAIN_RECEIPT, type Verdict } from '../src/core/model/verdict.ts'
import type { RunState } from '../src/core/run/state.ts'
import { runSummary } from '../src/core/views/run-summary.ts'
import { stateMachines } from '../src/engine/state-machines.ts'
import { type AttemptFact, type Source, SyntheticAttempt } from './synthetic-attempt.ts'

/** Receiver of a run's steps. */
export interface Listener {
  /** Called when an input was decided, with everything that follows from it. */
  stepped(ms: number, events: readonly RunEvent[], state: RunState, at: number): void
  /** Called when an attempt's ledger has grown. */
  attemptAppended(attempt: AttemptId, facts: readonly AttemptFact[], at: number): void
}

export const SYNTHETIC_RUN = '2026-01-01-0000-abcd' as RunId

const { run: machine } = stateMachines

/** Plays a run with real decisions in a synthetic world where everything succeeds at once; returns its state. */
export function playRun(backlog: Backlog, settings: Settings, listener: Listener, doneMax = Infinity): RunState {
  const source = newSource()
  const world = new World(source, listener)
  const state = machine.initialState()
  const step = (input: RunInput) => {
    const moment = { at: source.now(), uuid: source.uuid() }
    const stopwatch = startStopwatch()
    const events = decide(state, input, moment)
    const due = machine.effectsDue(state, moment.at)
    machine.wakesAt(state, moment.at)
    runSummary(state)
    listener.stepped(stopwatch(), events, state, moment.at)
    world.align(due)
  }
  for (const input of opening(backlog, settings)) step(input)
  for (let input = world.next(); input !== null && state.counts.done < doneMax; input = world.next()) step(input)
  return state
}

// Takes the shorter of two times: the clock also runs while other processes have the processor, and processor time also
// counts V8's other threads.
function startStopwatch(): () => number {
  const used = process.cpuUsage()
  const startedAt = performance.now()
  return () => {
    const ms = performance.now() - startedAt
    const { user, system } = process.cpuUsage(used)
    return Math.min(ms, (user + system) / 1_000)
  }
}

/** Decides an input as the engine does: its facts, then everything that follows until the run has settled. */
function decide(state: RunState, input: RunInput, moment: Moment): readonly RunEvent[] {
  const decision = machine.decide(state, input, moment)
  if (decision.kind === 'refused') throw new Error(decision.problem.message)
  const events: RunEvent[] = []
  const take = (fresh: readonly RunEvent[]) => {
    for (const event of fresh) {
      machine.evolve(state, event, moment.at)
      events.push(event)
    }
  }
  take(decision.events)
  for (let next = machine.settle(state, moment); next.length > 0; next = machine.settle(state, moment)) take(next)
  return events
}

function opening(backlog: Backlog, settings: Settings): readonly RunInput[] {
  const requests: readonly Request[] = [
    {
      kind: 'open-run',
      run: SYNTHETIC_RUN,
      target: 'main',
      spentBefore: {},
      samplesBefore: {},
      knowledgeBefore: [],
      proposalsBefore: [],
    },
    { kind: 'adopt-settings', values: settings, digest: sha256('settings') },
    { kind: 'add-tasks', backlog, attemptsBefore: {} },
  ]
  const inputs = requests.map(
    (request, index): RunInput => ({ kind: 'request', id: `q${index}` as RequestId, request }),
  )
  return [...inputs, { kind: 'engine-started', pid: 4711 }]
}

/** Performs due effects one after another and returns the next inputs to decide. */
class World {
  readonly #source: Source
  readonly #listener: Listener
  readonly #attempts = new Map<AttemptId, SyntheticAttempt>()
  readonly #reports = new Queue<RunInput>()
  readonly #attemptEvents = new Queue<RunInput>()
  #going = new Set<string>()

  constructor(source: Source, listener: Listener) {
    this.#source = source
    this.#listener = listener
  }

  /** Returns the next input; reports come first, because landing is faster than the work of attempts. */
  next(): RunInput | null {
    return this.#reports.take() ?? this.#attemptEvents.take()
  }

  align(due: readonly RunEffect[]): void {
    const before = this.#going
    this.#going = new Set(due.map(({ id }) => id))
    for (const effect of due) if (!before.has(effect.id)) this.#perform(effect)
  }

  #perform(effect: RunEffect): void {
    if (effect.kind === 'work-attempt') {
      this.#received(effect.attempt, this.#attemptOf(effect.attempt).work(effect.spec))
    } else if (effect.kind === 'tell-attempt') {
      this.#received(effect.attempt, this.#attemptOf(effect.attempt).deliver(effect.messageId, effect.message))
    } else {
      this.#reports.put({ kind: 'report', effect: effect.id, report: reportOf(effect, this.#source) })
    }
  }

  #attemptOf(attempt: AttemptId): SyntheticAttempt {
    const known = this.#attempts.get(attempt) ?? new SyntheticAttempt(this.#source)
    this.#attempts.set(attempt, known)
    return known
  }

  #received(attempt: AttemptId, facts: readonly AttemptFact[]): void {
    if (facts.length > 0) this.#listener.attemptAppended(attempt, facts, this.#source.now())
    if (facts.some(({ event }) => event.kind === 'attempt-ended')) this.#attempts.delete(attempt)
    for (const { seq, event } of facts) this.#attemptEvents.put({ kind: 'attempt-event', attempt, seq, event })
  }
}

/** First in, first out, without moving waiting items. */
class Queue<T> {
  #waiting: T[] = []
  #taken = 0

  put(item: T): void {
    this.#waiting.push(item)
  }

  take(): T | null {
    const item = this.#waiting[this.#taken]
    if (item === undefined) return null
    this.#taken += 1
    if (this.#taken === this.#waiting.length) [this.#waiting, this.#taken] = [[], 0]
    return item
  }
}

type Own = Exclude<RunEffect, { kind: 'work-attempt' | 'tell-attempt' }>

function reportOf(effect: Own, source: Source): RunReport {
  switch (effect.kind) {
    case 'open-line': {
      const line = source.object() as Commit
      return { kind: 'line-open', line, tree: line as string as Tree, target: line }
    }
    case 'check-baseline':
      return { kind: 'checked', verdict: verdictOn(effect.commit, effect.tree) }
    case 'prepare-candidate': {
      const { line, lastTarget: target } = effect.order
      const [commit, tree] = [source.object() as Commit, source.object() as Tree]
      return { kind: 'prepared', line, base: line, commit, tree, target }
    }
    case 'summarize-milestone':
      return { kind: 'summarized', summary: null, by: 'facts', why: 'there is no judge', used: [] }
    case 'check-candidate':
      return { kind: 'checked', verdict: verdictOn(effect.commit, effect.tree) }
    case 'advance-line':
      return { kind: 'advanced', commit: effect.to }
    case 'follow-target':
      return { kind: 'followed', commit: effect.commit }
  }
}

function verdictOn(commit: Commit, tree: Tree): Verdict {
  const receipt = {
    gate: 'tests',
    command: 'npm test',
    exitCode: 0,
    timedOut: false,
    durationMs: 1234,
    commit,
    tree,
    outputDigest: sha256(commit),
    environmentDigest: sha256('environment'),
    passed: true,
    blocking: true,
    ...PLAIN_RECEIPT,
  }
  return { passed: true, receipts: [receipt], findings: [] }
}

function newSource(): Source {
  let [at, given] = [1_767_225_600_000, 0]
  const hex = (length: number) => {
    given += 1
    return given.toString(16).padStart(length, '0')
  }
  return {
    now() {
      at += 1
      return at
    },
    uuid: () => `7c1f6a52-08c5-4c1c-9a55-${hex(12)}`,
    object: () => hex(40),
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
