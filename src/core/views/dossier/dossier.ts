import type { FileChange } from '../../model/file-change.ts'
import type { Finding, Receipt } from '../../model/verdict.ts'
import { findingKey } from '../../prompts/findings-text.ts'
import type { RunState } from '../../run/state.ts'
import type { TaskStory } from '../story/task-story.ts'
import { type DossierAttempt, type DossierRound, dossierAttempts, rangeName } from './dossier-attempts.ts'
import { type NextCommand, nextCommands } from './next-commands.ts'

/** One-page summary of a stuck task, for the user to decide on. */
export interface Dossier
  extends Pick<TaskStory, 'run' | 'id' | 'title' | 'state' | 'reason' | 'brief' | 'acceptance' | 'verify' | 'spent'> {
  /** Number of earlier attempts, which are left out. */
  readonly attemptsBefore: number
  readonly attempts: readonly DossierAttempt[]
  /** Findings that are open or came up more than once; open ones first, then the most frequent. */
  readonly findings: readonly RepeatedFinding[]
  /** Number of findings left out. */
  readonly findingsMore: number
  /** Last failed receipt of each check behind these findings. */
  readonly receipts: readonly Receipt[]
  readonly commands: readonly NextCommand[]
  /** True when an engine is driving the run. */
  readonly isDriven: boolean
}

/** Finding with the rounds in which it came up. */
export interface RepeatedFinding {
  readonly finding: Finding
  /** ATTEMPT round N, oldest first. */
  readonly places: readonly string[]
  /** True when the latest findings include it. */
  readonly isOpen: boolean
}

/** Inputs of a dossier. */
export interface DossierSources {
  readonly story: TaskStory
  /** Run that accepts requests, or null when a newer run has replaced it. */
  readonly run: RunState | null
  readonly isDriven: boolean
  /** Changed files by the name of their commit range, or null when a commit no longer exists. */
  readonly changes: ReadonlyMap<string, readonly FileChange[] | null>
}

/** Builds the dossier of a task. */
export function dossierOf({ story, run, isDriven, changes }: DossierSources): Dossier {
  const { id, title, state, brief, acceptance, verify, spent, attempts } = story
  // Hints are left out here: the commands come at the end.
  const reason = story.problem?.message ?? story.reason
  const shown = dossierAttempts(story)
  const repeated = repeatedFindings(story)
  const findings = repeated.slice(0, FINDINGS_MAX)
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
    attemptsBefore: attempts.length - shown.length,
    attempts: shown.map((attempt) => ({
      ...attempt,
      rounds: attempt.rounds.map((round) => withChanges(round, changes)),
    })),
    findings,
    findingsMore: repeated.length - findings.length,
    receipts: receiptsFor(story, findings),
    commands: run === null ? [] : nextCommands(run, id),
    isDriven,
  }
}

const FINDINGS_MAX = 8

function withChanges(round: DossierRound, changes: DossierSources['changes']): DossierRound {
  return round.span === null ? round : { ...round, changed: changes.get(rangeName(round.span)) ?? null }
}

/** Collects the findings of all attempts that are open or came up more than once. */
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
