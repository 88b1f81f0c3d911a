import type { Review } from '../model/agent-report.ts'
import type { AttemptSpec } from '../model/attempt.ts'
import type { RoundCause } from '../model/attempt-event.ts'
import type { Commit } from '../model/ids.ts'
import type { Task } from '../model/task.ts'
import type { Finding, Receipt } from '../model/verdict.ts'
import { issuesText } from '../phases/review-findings.ts'
import { isReader, phaseOf } from '../phases/workflows.ts'
import { fillTemplate } from './fill-template.ts'
import { findingsText } from './findings-text.ts'
import { type HandOffTexts, handOffText, receiptsText } from './hand-off.ts'
import { milestoneText } from './milestone.ts'
import { DECISION_FORM, QA_FORM, REVIEW_FORM } from './report-forms.ts'
import { TEMPLATES, type Variable } from './templates/templates.ts'
import { textPlaceholder } from './text-placeholder.ts'
import { BROWSER_FOLDER, PROGRESS_FILE, SCREENSHOT_FOLDER, WORK_FILE } from './workspace-files.ts'

/** How things stand when a prompt is made. */
export interface Situation {
  readonly spec: AttemptSpec
  readonly phase: string
  readonly phaseRounds: Readonly<Record<string, number>>
  readonly cause: RoundCause
  readonly commit: Commit | null
  readonly findings: readonly Finding[]
  readonly receipts: readonly Receipt[]
  readonly handOff: HandOffTexts | null
  /** Digests of what earlier phases left, by phase. */
  readonly outputs: ReadonlyMap<string, string>
  /** What the review that is going on has found so far. */
  readonly review: Review | null
}

/** The first thing a session is told: what all agents are told, the task, what is known already, and what to do now. */
export function openingPrompt(situation: Situation): string {
  const { spec, cause, commit, receipts, handOff } = situation
  const parts = [fillPrompt(situation, 'rules'), fillPrompt(situation, 'task')]
  if (handOff !== null) parts.push(handOffText(handOff, receipts))
  parts.push(phaseText(situation))
  if (cause.kind !== 'brief') parts.push(workSoFar(spec, commit), continuePrompt(situation))
  return parts.filter((part) => part !== '').join('\n\n')
}

/** What a session that goes on is told, with findings that it may not have seen. */
export function continuePrompt(situation: Situation): string {
  const { cause, findings } = situation
  const still = findingsText(findings)
  if (cause.kind === 'findings' || still === '') return causeText(situation)
  return `${causeText(situation)}\n\nStill to mend:\n\n${still}`
}

function causeText(situation: Situation): string {
  const { cause } = situation
  switch (cause.kind) {
    case 'brief':
      return phaseText(situation)
    case 'decide':
      return fillPrompt(situation, 'decide')
    case 'again':
      return `${cause.why} ${formOf(situation)}`.trim()
    case 'continue':
      return `Go on with the task: ${cause.why}. Say when it is done.`
    case 'lost':
      return 'You were interrupted, and what your last steps did is not known. Look first at what took effect (git status, git log, the files), then go on. Do nothing twice.'
    case 'fresh-session':
      return 'A session before you worked in this folder until its context window was full. Go on from what is there: do nothing again that is done.'
    case 'answer':
      return `You asked, and a person answers:\n\n${cause.text}\n\nGo on with the task. Say when it is done.`
    case 'findings':
      return `${foundBy(cause)}\n\n${findingsText(cause.findings)}\n\n${fixText(situation)}`
  }
}

function foundBy({ from, findings }: Extract<RoundCause, { kind: 'findings' }>): string {
  if (findings.every(({ source }) => source === 'person')) return 'A person has looked at your work and sends it back:'
  return FROM[from] ?? FROM_CHECKS
}

/** What a planner says last is what others work by, so it has to be whole. */
function fixText({ spec, phase }: Situation): string {
  const { role } = phaseOf(spec.workflow, phase)
  if (role === 'planner') return 'Mend this, and answer with all of it again, as it is to be now.'
  return 'Mend this, then say that the task is done.'
}

const FROM_CHECKS = 'Our checks of your work found:'
const FROM: Readonly<Record<string, string>> = {
  landing: 'Your work could not be brought together with what has landed meanwhile:',
  review: 'A review of your work found:',
  qa: 'Somebody who tested your work found:',
}

/** What the phase asks for. */
function phaseText(situation: Situation): string {
  const { spec, phase } = situation
  const name = phaseOf(spec.workflow, phase).prompt ?? phase
  return `## Phase: ${phase}\n\n${fillPrompt(situation, hasTemplate(spec, name) ? name : 'work')}`
}

function hasTemplate({ prompts }: AttemptSpec, name: string): boolean {
  return Object.hasOwn(prompts, name) || Object.hasOwn(TEMPLATES, name)
}

function fillPrompt(situation: Situation, name: string): string {
  const template = situation.spec.prompts[name] ?? TEMPLATES[name] ?? ''
  return fillTemplate(template, valuesOf(situation))
}

function formOf({ spec, phase, review }: Situation): string {
  const { role } = phaseOf(spec.workflow, phase)
  if (role === 'qa') return QA_FORM
  if (role !== 'reviewer') return ''
  return review === null ? REVIEW_FORM : DECISION_FORM
}

function valuesOf(situation: Situation): Readonly<Record<Variable, string>> {
  const { spec, phase, phaseRounds, commit, receipts, outputs, review } = situation
  const [task] = spec.tasks
  return {
    ...taskValues(task),
    phase,
    round: String(phaseRounds[phase] ?? 1),
    attempt: String(spec.number),
    base: spec.base,
    commit: commit ?? spec.base,
    milestone: milestoneText(spec),
    retry_brief: spec.retryBrief ?? '',
    prior_outputs: [...outputs]
      .map(([from, digest]) => `What the phase ${from} came to:\n\n${textPlaceholder(digest)}`)
      .join('\n\n'),
    knowledge: spec.knowledge,
    last_results: receiptsText(receipts),
    review: review === null ? '' : issuesText(review.issues),
    writes: isReader(phaseOf(spec.workflow, phase).role) ? '' : 'yes',
    progress_file: PROGRESS_FILE,
    work_file: WORK_FILE,
    ui_test: spec.uiTests ? 'yes' : '',
    screenshots: SCREENSHOT_FOLDER,
    browser_profile: BROWSER_FOLDER,
  }
}

function taskValues(task: Task | undefined) {
  return {
    task_id: task?.id ?? '',
    title: task?.title ?? '',
    brief: task?.brief ?? '',
    weight: task?.weight ?? '',
    acceptance: listText(task?.acceptance ?? []),
    verify: listText(task?.verify ?? []),
  }
}

function listText(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

function workSoFar(spec: AttemptSpec, commit: Commit | null): string {
  if (commit === null || commit === spec.base) return ''
  return `The work so far is in commit ${commit}; it started from ${spec.base}.`
}
