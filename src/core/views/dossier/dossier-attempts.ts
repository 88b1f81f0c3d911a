import type { FileChange } from '../../model/file-change.ts'
import type { Commit } from '../../model/ids.ts'
import { isReader } from '../../phases/workflows.ts'
import { findingsKey } from '../../prompts/findings-text.ts'
import { causeText, endText } from '../attempt-event-line.ts'
import { firstFinding } from '../line-parts.ts'
import type { AttemptStory, FoundStory, RoundStory } from '../story/attempt-story.ts'
import type { TaskStory } from '../story/task-story.ts'

/** One attempt, in short. */
export interface DossierAttempt
  extends Pick<AttemptStory, 'id' | 'outcome' | 'reason' | 'branch' | 'salvage' | 'spent'> {
  /** Its last commit; null: it has none. */
  readonly commit: Commit | null
  /** Rounds before those that are told. */
  readonly roundsBefore: number
  readonly rounds: readonly DossierRound[]
}

/** One round, in short. */
export interface DossierRound extends Pick<RoundStory, 'round' | 'phase'> {
  /** Why it was sent, and how it ended. */
  readonly asked: string
  readonly ended: string | null
  /** The commits with its work between them; null: it left none, or only reads. */
  readonly span: CommitRange | null
  /** What it changed; null: that is not known any more. */
  readonly changed: readonly FileChange[] | null
  /** What was found after it; null: nothing. */
  readonly found: string | null
  /** Whether the very same had been found before. */
  readonly isAgain: boolean
}

export interface CommitRange {
  readonly from: Commit
  readonly to: Commit
}

/** What the differences of a span are kept under. */
export function rangeName({ from, to }: CommitRange): string {
  return `${from}..${to}`
}

/** The last attempts and their last rounds: what has room on a page. */
export function dossierAttempts({ attempts }: TaskStory): readonly DossierAttempt[] {
  const told = attempts.slice(-ATTEMPTS_MAX)
  const foundBefore = new Set<string>()
  return told.map((attempt, index) => {
    const rounds = attempt.rounds.map((round) => tellRound(attempt, round, foundBefore))
    const kept = rounds.slice(index === told.length - 1 ? -LAST_ROUNDS_MAX : -ROUNDS_MAX)
    const { id, outcome, reason, branch, salvage, spent, commits } = attempt
    return {
      id,
      outcome,
      reason,
      branch,
      salvage,
      spent,
      commit: commits.at(-1)?.commit ?? null,
      roundsBefore: rounds.length - kept.length,
      rounds: kept,
    }
  })
}

/** The commits whose differences a dossier of this task tells. */
export function changeRanges(story: TaskStory): readonly CommitRange[] {
  return dossierAttempts(story).flatMap(({ rounds }) => rounds.flatMap(({ span }) => span ?? []))
}

const ATTEMPTS_MAX = 3
/** Of the last attempt, and of those before it. */
const LAST_ROUNDS_MAX = 6
const ROUNDS_MAX = 2

function tellRound(attempt: AttemptStory, told: RoundStory, foundBefore: Set<string>): DossierRound {
  const { round, phase } = told
  const after = attempt.found.filter((one) => one.round === round)
  const isAgain = after.some((one) => foundBefore.has(keyOf(one)))
  for (const one of after) foundBefore.add(keyOf(one))
  return {
    round,
    phase,
    asked: askedText(told),
    ended: endedText(told),
    span: spanOf(attempt, told),
    changed: null,
    found: after.length === 0 ? null : after.map(foundText).join('; '),
    isAgain,
  }
}

/** What sent it back has just been told. */
function askedText({ cause }: RoundStory): string {
  return cause.kind === 'findings' ? `sent back from ${cause.from}` : causeText(cause)
}

function endedText({ end, detail, claim }: RoundStory): string | null {
  if (end === 'ok' && claim?.kind !== 'blocked') return `says ${claim?.kind ?? 'nothing'}`
  return end === null ? null : endText({ kind: end, detail: detail ?? '', claim })
}

function foundText({ from, findings }: FoundStory): string {
  const first = firstFinding(findings)
  return first.startsWith(`${from}: `) ? first : `${from}: ${first}`
}

function keyOf({ from, findings }: FoundStory): string {
  return `${from}\n${findingsKey(findings)}`
}

function spanOf({ base, commits }: AttemptStory, { round, role }: RoundStory): CommitRange | null {
  if (isReader(role)) return null
  const to = commits.findLast((commit) => commit.round === round)?.commit
  if (to === undefined) return null
  return { from: commits.findLast((commit) => commit.round < round)?.commit ?? base, to }
}
