import type { AttemptSpec } from '../model/attempt.ts'
import type { RoundCause } from '../model/attempt-event.ts'
import type { Commit } from '../model/ids.ts'
import type { Task } from '../model/task.ts'
import type { Finding, Receipt } from '../model/verdict.ts'
import { CLAIM_TAGS } from '../phases/claim-in.ts'
import { findingsText } from '../phases/retry-brief.ts'
import { type HandOffLeft, handOffText } from './hand-off.ts'
import { milestoneText } from './milestone.ts'
import { PROGRESS_FILE } from './progress.ts'

/** How things stand when a session begins. */
export interface Situation {
  readonly spec: AttemptSpec
  readonly cause: RoundCause
  readonly commit: Commit | null
  readonly findings: readonly Finding[]
  readonly receipts: readonly Receipt[]
  readonly handOff: HandOffLeft | null
}

/** The first thing a session is told: the brief, and what is known already. */
export function openingPrompt({ spec, cause, commit, findings, receipts, handOff }: Situation): string {
  const parts = [...spec.tasks.map(brief), milestoneText(spec), RULES, spec.knowledge, spec.retryBrief ?? '']
  if (handOff !== null) parts.push(handOffText(handOff, receipts))
  if (cause.kind !== 'brief') parts.push(whatIsThere(spec, commit), goOnPrompt(cause, findings))
  return parts.filter((part) => part !== '').join('\n\n')
}

/** What a session that goes on is told; `open`: findings that it may not have seen. */
export function goOnPrompt(cause: RoundCause, open: readonly Finding[]): string {
  const still = findingsText(open)
  if (cause.kind === 'findings' || still === '') return causeText(cause)
  return `${causeText(cause)}\n\nStill to mend:\n\n${still}`
}

function causeText(cause: RoundCause): string {
  switch (cause.kind) {
    case 'brief':
      return 'Begin with the task above.'
    case 'continue':
      return `Go on with the task: ${cause.why}. Say when it is done.`
    case 'lost':
      return 'You were interrupted, and what your last steps did is not known. Look first at what took effect (git status, git log, the files), then go on. Do nothing twice.'
    case 'fresh-session':
      return 'A session before you worked in this folder until its context window was full. Go on from what is there: do nothing again that is done.'
    case 'answer':
      return `You asked, and a person answers:\n\n${cause.text}\n\nGo on with the task. Say when it is done.`
    case 'findings':
      return `${cause.from === 'landing' ? FROM_LANDING : FROM_CHECKS}\n\n${findingsText(cause.findings)}\n\nMend this, then say that the task is done.`
  }
}

const FROM_CHECKS = 'Our checks of your work found:'
const FROM_LANDING = 'Your work could not be brought together with what has landed meanwhile:'

const RULES = [
  'Work only inside this folder. Commit or not, as you like: everything that is not ignored is saved.',
  `Keep short notes of what is done and what comes next in ${PROGRESS_FILE}: it is never committed, and whoever goes on with this task reads it. If it is there already, read it first.`,
  `Say at the very end of your last answer how the work stands, by one of these tags: ${CLAIM_TAGS.done} when the task is done; ${CLAIM_TAGS.blocked} when you cannot go on without a person; ${CLAIM_TAGS.continue} when more is to be done and you stop for now.`,
].join(' ')

function brief(task: Task): string {
  const acceptance = task.acceptance.map((line) => `- ${line}`).join('\n')
  const verify = task.verify.map((line) => `- ${line}`).join('\n')
  return [
    `# ${task.id}: ${task.title}`,
    task.brief,
    acceptance === '' ? '' : `Accepted when:\n${acceptance}`,
    verify === '' ? '' : `These commands must pass:\n${verify}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function whatIsThere(spec: AttemptSpec, commit: Commit | null): string {
  if (commit === null || commit === spec.base) return ''
  return `The work so far is in commit ${commit}; it started from ${spec.base}.`
}
