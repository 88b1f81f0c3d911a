import { occupancy, tokensHeld } from '../../context/occupancy.ts'
import type { AgentReport } from '../../model/agent-report.ts'
import type { AttemptBounds } from '../../model/attempt.ts'
import type { AttemptEvent } from '../../model/attempt-event.ts'
import type { RunEvent } from '../../model/run-event.ts'
import type { ContextSettings } from '../../model/settings.ts'
import type { Finding } from '../../model/verdict.ts'
import type { Role, Workflow } from '../../model/workflow.ts'
import { reviewFindings } from '../../phases/review-findings.ts'
import { roleOfPhase } from '../../phases/roles.ts'
import { findingsKey } from '../../prompts/findings-text.ts'
import { attemptEventLine } from '../attempt-event-line.ts'
import { type AttemptStory, isoTime, nothingSpent, type SessionStory, spend } from './attempt-story.ts'
import { RoundSpending } from './round-spending.ts'

/** Builds an attempt's story from the facts of both ledgers. */
export class AttemptStoryBuilder {
  readonly #story: AttemptStory
  readonly #spending = new RoundSpending()
  /** Digests of the notes that sessions left for the next one. */
  readonly #notes = new Map<SessionStory['id'], string>()
  #bounds: AttemptBounds | null = null
  #context: ContextSettings | null = null
  #workflow: Workflow | null = null
  /** True once the current review has been asked to decide. */
  #isDeciding = false

  constructor(started: Extract<RunEvent, { kind: 'attempt-started' }>, at: number, branch: string) {
    this.#story = {
      id: started.attempt,
      number: started.number,
      startedAt: isoTime(at),
      why: started.reason,
      base: started.base,
      branch,
      driver: null,
      model: null,
      endedAt: null,
      outcome: null,
      reason: null,
      phases: [],
      rounds: [],
      sessions: [],
      commits: [],
      verdicts: [],
      found: [],
      waits: [],
      notes: [],
      salvage: [],
      findings: [],
      spent: nothingSpent(),
    }
  }

  get id(): AttemptStory['id'] {
    return this.#story.id
  }

  /** Ledger position after which single turns are needed; there may be thousands before it. */
  get turnsNeededAfter(): number {
    return this.#spending.turnsNeededAfter
  }

  /** Digests of the texts in the story. */
  get textsNeeded(): readonly string[] {
    return [...this.#notes.values()]
  }

  /** Returns the story, after all facts have been added. */
  build(texts: ReadonlyMap<string, string> = new Map()): AttemptStory {
    const story = this.#story
    for (const [session, digest] of this.#notes) this.#session(session).note = texts.get(digest) ?? null
    spend(story.spent, this.#spending.settle())
    for (const { session, spent } of story.rounds) spend(this.#session(session).spent, spent)
    return story
  }

  /** Adds a fact of the attempt's ledger; turns may come after all others. */
  addAttemptEvent(event: AttemptEvent, at: number, seq: number): void {
    const story = this.#story
    switch (event.kind) {
      case 'attempt-opened':
        this.#bounds = event.spec.bounds
        this.#workflow = event.spec.workflow
        this.#context = event.spec.context
        story.driver = event.spec.agent.driver
        story.model = event.spec.agent.model
        return
      case 'phase-entered':
        story.phases.push({ at: isoTime(at), phase: event.phase, why: event.why })
        this.#isDeciding = false
        return
      case 'round-started':
        this.#startRound(event, at, seq)
        return
      case 'session-opened':
        this.#openSession(event, at)
        return
      case 'usage-observed':
        this.#spending.use(event, seq)
        this.#trackContext(event)
        return
      case 'round-ended': {
        const round = story.rounds.findLast(({ round }) => round === event.round)
        const { kind, detail, claim } = event.end
        this.#spending.end(event, seq)
        if (round !== undefined) Object.assign(round, { endedAt: isoTime(at), end: kind, detail, claim })
        return
      }
      case 'checkpoint-made':
        story.commits.push({ at: isoTime(at), round: this.#round, commit: event.commit, files: event.changed })
        return
      case 'verdict-given': {
        const { commit, passed, receipts, findings } = event
        story.verdicts.push({ at: isoTime(at), on: 'workspace', commit, passed, receipts, findings })
        return
      }
      case 'work-returned':
        this.#addFindings(event.from, event.findings, at)
        return
      case 'attempt-closing':
        this.#addFindings(story.found.at(-1)?.from ?? story.phases.at(-1)?.phase ?? '', event.findings, at)
        return
      case 'attempt-waiting':
        story.waits.push({ at: isoTime(at), for: event.for.kind, reason: event.reason })
        story.reason = event.reason
        return
      case 'workspace-released':
        story.salvage = event.salvage
        return
      case 'attempt-ended':
        this.#end(event, at)
        return
      // Other facts of the story cover these.
      case 'workspace-made':
      case 'ready-to-land':
      case 'message-received':
        return
      default:
        if (event.kind === 'work-reported') this.#addReview(event.report, at)
        if (event.kind === 'hand-off-started' || event.kind === 'session-handed-off') this.#handOff(event)
        story.notes.push({ at: isoTime(at), text: attemptEventLine('', event).text })
    }
  }

  /** Adds a fact of the run's ledger about this attempt. */
  addRunEvent(event: RunEvent, at: number): void {
    const { verdicts } = this.#story
    const when = { at: isoTime(at), on: 'merged' as const }
    if (event.kind === 'candidate-checked') {
      const { commit, receipts } = event
      verdicts.push({ ...when, commit, passed: true, receipts, findings: [] })
    }
    if (event.kind === 'candidate-refused' && event.cause !== 'stale') {
      const { receipts, findings } = event
      verdicts.push({ ...when, commit: receipts[0]?.commit ?? null, passed: false, receipts, findings })
    }
    if (event.kind === 'attempt-waiting') this.#story.reason = event.reason
    if (event.kind === 'attempt-resumed') this.#story.reason = null
    if (event.kind === 'attempt-ended') this.#end(event, at)
  }

  #startRound(event: Extract<AttemptEvent, { kind: 'round-started' }>, at: number, seq: number): void {
    const { round, phase, phaseRound, session, cause, turnsMax } = event
    const story = {
      round,
      phase,
      role: this.#roleOf(phase),
      phaseRound,
      session,
      cause,
      startedAt: isoTime(at),
      endedAt: null,
      end: null,
      detail: null,
      claim: null,
      turnsMax,
      turnsWhy: this.#turnsWhy(turnsMax),
      spent: nothingSpent(),
    }
    this.#story.rounds.push(story)
    if (cause.kind === 'decide') this.#isDeciding = true
    this.#spending.start(story, seq)
    const last = this.#story.sessions.at(-1)
    if (last !== undefined && last.id !== session) last.state = 'handed-off'
    this.#session(session).rounds += 1
  }

  #roleOf(phase: string): Role {
    return this.#workflow?.phases.find(({ name }) => name === phase)?.role ?? roleOfPhase({ name: phase })
  }

  get #round(): number {
    return this.#story.rounds.at(-1)?.round ?? 0
  }

  #handOff(event: Extract<AttemptEvent, { kind: 'hand-off-started' | 'session-handed-off' }>): void {
    if (event.kind === 'hand-off-started') {
      const { session, used: contextUsed, size: contextSize } = event
      Object.assign(this.#session(session), { contextUsed, contextSize })
    } else if (event.note !== null) this.#notes.set(event.session, event.note)
  }

  /** Adds the findings of a review once it decides: one that the user decides on sends nothing back. */
  #addReview(report: AgentReport, at: number): void {
    const round = this.#story.rounds.at(-1)
    if (report.kind !== 'review' || round === undefined || !this.#isDeciding) return
    this.#addFindings(round.phase, reviewFindings(report.review), at)
  }

  /** Keeps findings once, although both the report and the return of the work carry them. */
  #addFindings(from: string, findings: readonly Finding[], at: number): void {
    const { found } = this.#story
    const last = found.at(-1)
    const isKnown = last?.round === this.#round && findingsKey(last.findings) === findingsKey(findings)
    if (findings.length > 0 && !isKnown) found.push({ at: isoTime(at), round: this.#round, from, findings })
  }

  #turnsWhy(turnsMax: number): string {
    if (this.#bounds === null || this.#bounds.turnsMax === turnsMax) return this.#bounds?.turnsWhy ?? 'unknown'
    if (turnsMax < this.#bounds.turnsMax) return `fewer than ${this.#bounds.turnsMax}: the limit of a tester`
    return `raised from ${this.#bounds.turnsMax}, which were used up`
  }

  #openSession(event: Extract<AttemptEvent, { kind: 'session-opened' }>, at: number): void {
    const session = this.#session(event.session)
    session.openedAt ??= isoTime(at)
    session.model = event.model
    this.#story.model = event.model
  }

  #session(id: SessionStory['id']): SessionStory {
    const known = this.#story.sessions.findLast((session) => session.id === id)
    if (known !== undefined) return known
    const session: SessionStory = {
      id,
      model: null,
      openedAt: null,
      state: 'active',
      rounds: 0,
      contextUsed: null,
      contextSize: null,
      note: null,
      spent: nothingSpent(),
    }
    this.#story.sessions.push(session)
    return session
  }

  #trackContext({ usage }: Extract<AttemptEvent, { kind: 'usage-observed' }>): void {
    const { tokens, window, scope } = usage
    // A judge does not use a session of the attempt.
    if (scope !== 'main') return
    const session = this.#session(usage.session as SessionStory['id'])
    const known = window ?? session.contextSize
    const held = this.#context !== null ? occupancy(tokensHeld(tokens), known, this.#context) : null
    if (held !== null) Object.assign(session, { contextUsed: held.used, contextSize: held.size })
  }

  #end(event: Extract<RunEvent | AttemptEvent, { kind: 'attempt-ended' }>, at: number): void {
    const { outcome, reason, findings } = event
    Object.assign(this.#story, { endedAt: isoTime(at), outcome, reason, findings })
    const last = this.#story.sessions.at(-1)
    if (last !== undefined) last.state = outcome === 'landed' ? 'completed' : 'abandoned'
  }
}
