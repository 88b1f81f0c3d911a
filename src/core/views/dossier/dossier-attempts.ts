import type { FileChange } from '../../model/file-change.ts'
import type { Commit } from '../../model/ids.ts'
import { isReader } from '../../phases/roles.ts'
import { findingsKey } from '../../prompts/findings-text.ts'
import { firstFinding } from '../line-parts.ts'
import { causeText, endText } from '../round-text.ts'
import type { AttemptStory, FoundStory, RoundStory } from '../story/attempt-story.ts'
import type { TaskStory } from '../story/task-story.ts'

/** Attempt in a dossier. */
export interface DossierAttempt
  extends Pick<AttemptStory, 'id' | 'outcome' | 'reason' | 'branch' | 'salvage' | 'spent'> {
  /** Its last commit, or null. */
  readonly commit: Commit | null
  /** Number of earlier rounds, which are left out. */
  readonly roundsBefore: number
  readonly rounds: readonly DossierRound[]
}

/** Round in a dossier. */
export interface DossierRound extends Pick<RoundStory, 'round' | 'phase'> {
  /** Prompt and end of the round. */
  readonly asked: string
  readonly ended: string | null
  /** Commits before and after its work, or null when it made no commit. */
  readonly span: CommitRange | null
  /** Files it changed, or null when they are no longer known. */
  readonly changed: readonly FileChange[] | null
  /** Findings after it, or null. */
  readonly found: string | null
  /** True when the same findings had come up before. */
  readonly isAgain: boolean
}

export interface CommitRange {
  readonly from: Commit
  readonly to: Commit
}

/** Names a commit range, as git writes it. */
export function rangeName({ from, to }: CommitRange): string {
  return `${from}..${to}`
}

/** Returns the last attempts with their last rounds, as many as fit on a page. */
export function dossierAttempts({ attempts }: TaskStory): readonly DossierAttempt[] {
  const shown = attempts.slice(-ATTEMPTS_MAX)
  const foundBefore = new Set<string>()
  return shown.map((attempt, index) => {
    const rounds = attempt.rounds.map((round) => dossierRound(attempt, round, foundBefore))
    const kept = rounds.slice(index === shown.length - 1 ? -LAST_ROUNDS_MAX : -ROUNDS_MAX)
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

/** Returns the commit ranges whose changes a dossier of this task shows. */
export function changeRanges(story: TaskStory): readonly CommitRange[] {
  return dossierAttempts(story).flatMap(({ rounds }) => rounds.flatMap(({ span }) => span ?? []))
}

const ATTEMPTS_MAX = 3
/** Limits of rounds shown: of the last attempt, and of each one before. */
const LAST_ROUNDS_MAX = 6
const ROUNDS_MAX = 2

function dossierRound(attempt: AttemptStory, story: RoundStory, foundBefore: Set<string>): DossierRound {
  const { round, phase } = story
  const after = attempt.found.filter((one) => one.round === round)
  const isAgain = after.some((one) => foundBefore.has(keyOf(one)))
  for (const one of after) foundBefore.add(keyOf(one))
  return {
    round,
    phase,
    asked: promptText(story),
    ended: endedText(story),
    span: rangeOf(attempt, story),
    changed: null,
    found: after.length === 0 ? null : after.map(foundText).join('; '),
    isAgain,
  }
}

/** Names the prompt of a round; the findings behind it are already on the page, with the round before. */
function promptText({ cause }: RoundStory): string {
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

function rangeOf({ base, commits }: AttemptStory, { round, role }: RoundStory): CommitRange | null {
  if (isReader(role)) return null
  const to = commits.findLast((commit) => commit.round === round)?.commit
  if (to === undefined) return null
  return { from: commits.findLast((commit) => commit.round < round)?.commit ?? base, to }
}
