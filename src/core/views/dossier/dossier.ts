import type { FileChange } from '../../model/file-change.ts'
import type { Finding, Receipt } from '../../model/verdict.ts'
import { findingKey } from '../../prompts/findings-text.ts'
import type { RunState } from '../../run/state.ts'
import type { TaskStory } from '../story/task-story.ts'
import { type DossierAttempt, dossierAttempts, rangeName } from './dossier-attempts.ts'
import { type NextCommand, nextCommands } from './next-commands.ts'

/** What a person needs to decide on a task that does not come further, on one page. */
export interface Dossier
  extends Pick<TaskStory, 'run' | 'id' | 'title' | 'state' | 'reason' | 'brief' | 'acceptance' | 'verify' | 'spent'> {
  /** Attempts before those that are told. */
  readonly attemptsBefore: number
  readonly attempts: readonly DossierAttempt[]
  /** What was found more than once, or is still to be mended; that first, and what came most often. */
  readonly findings: readonly RepeatedFinding[]
  /** Findings beyond those that are told. */
  readonly findingsMore: number
  /** The last red receipt of each check that found some of it. */
  readonly receipts: readonly Receipt[]
  readonly commands: readonly NextCommand[]
  /** Whether an engine is there to go on by itself. */
  readonly isDriven: boolean
}

/** A finding, and where it came up. */
export interface RepeatedFinding {
  readonly finding: Finding
  /** ATTEMPT round N, the first first. */
  readonly places: readonly string[]
  /** Whether it is among what was found last. */
  readonly isOpen: boolean
}

/** What a dossier is made from. */
export interface DossierSources {
  readonly story: TaskStory
  /** The run, where requests reach it; null: a newer one takes them. */
  readonly run: RunState | null
  readonly isDriven: boolean
  /** What differs between two commits, by the name of their span; null: a commit is gone. */
  readonly changes: ReadonlyMap<string, readonly FileChange[] | null>
}

/** Tells on one page what a person has to know to decide. */
export function dossierOf({ story, run, isDriven, changes }: DossierSources): Dossier {
  const { id, title, state, brief, acceptance, verify, spent, attempts } = story
  // What to do about it is told at the end.
  const reason = story.problem?.message ?? story.reason
  const told = dossierAttempts(story)
  const found = repeatedFindings(story)
  const findings = found.slice(0, FINDINGS_MAX)
  return {
    run: story.run,
    id,
    title,
    state,
    reason,
    brief,
    acceptance,
    verify,
    spent,
    attemptsBefore: attempts.length - told.length,
    attempts: told.map((attempt) => ({
      ...attempt,
      rounds: attempt.rounds.map((round) => withChanges(round, changes)),
    })),
    findings,
    findingsMore: found.length - findings.length,
    receipts: receiptsFor(story, findings),
    commands: run === null ? [] : nextCommands(run, id),
    isDriven,
  }
}

const FINDINGS_MAX = 8

type Tried = DossierAttempt['rounds'][number]

function withChanges(round: Tried, changes: DossierSources['changes']): Tried {
  return round.span === null ? round : { ...round, changed: changes.get(rangeName(round.span)) ?? null }
}

/** What came up again, or last, over all attempts. */
function repeatedFindings({ attempts }: TaskStory): readonly RepeatedFinding[] {
  const known = new Map<string, { finding: Finding; places: string[] }>()
  const all = attempts.flatMap(({ id, found }) => found.map((one) => ({ ...one, place: `${id} round ${one.round}` })))
  for (const { place, findings } of all) {
    for (const finding of findings) {
      const same = known.get(findingKey(finding)) ?? { finding, places: [] }
      same.finding = finding
      same.places.push(place)
      known.set(findingKey(finding), same)
    }
  }
  const open = new Set(all.at(-1)?.findings.map(findingKey))
  return [...known]
    .map(([key, one]) => ({ ...one, isOpen: open.has(key) }))
    .filter(({ places, isOpen }) => isOpen || places.length > 1)
    .toSorted((a, b) => Number(b.isOpen) - Number(a.isOpen) || b.places.length - a.places.length)
}

function receiptsFor({ attempts }: TaskStory, findings: readonly RepeatedFinding[]): readonly Receipt[] {
  const red = attempts.flatMap(({ verdicts }) =>
    verdicts.flatMap(({ receipts }) => receipts.filter(({ passed }) => !passed)),
  )
  const sources = [...new Set(findings.map(({ finding }) => finding.source))]
  return sources.flatMap((source) => red.findLast(({ gate }) => gate === source) ?? [])
}
