import type { Review } from '../model/agent-report.ts'
import type { AttemptSpec } from '../model/attempt.ts'
import type { RoundCause } from '../model/attempt-event.ts'
import type { Commit } from '../model/ids.ts'
import type { Task } from '../model/task.ts'
import type { Finding, Receipt } from '../model/verdict.ts'
import { issuesText } from '../phases/review-findings.ts'
import { isReader } from '../phases/roles.ts'
import { phaseOf } from '../phases/workflows.ts'
import { fillTemplate } from './fill-template.ts'
import { findingsText } from './findings-text.ts'
import { type HandOffTexts, handOffText, receiptsText } from './hand-off.ts'
import { milestoneText } from './milestone.ts'
import { DECISION_FORM, QA_FORM, REVIEW_FORM, TEMPLATES, type Variable } from './templates.ts'
import { textPlaceholder } from './text-placeholder.ts'
import { BROWSER_FOLDER, PROGRESS_FILE, SCREENSHOT_FOLDER, WORK_FILE } from './workspace-files.ts'

/** State of an attempt that a prompt is written for. */
export interface Situation {
  readonly spec: AttemptSpec
  readonly phase: string
  readonly phaseRounds: Readonly<Record<string, number>>
  readonly cause: RoundCause
  readonly commit: Commit | null
  /** Commands of `verify` that passed before the work. */
  readonly alreadyGreen: readonly string[]
  readonly findings: readonly Finding[]
  readonly receipts: readonly Receipt[]
  readonly handOff: HandOffTexts | null
  /** Digests of the outputs of earlier phases, by phase. */
  readonly outputs: ReadonlyMap<string, string>
  /** Findings of the current review so far. */
  readonly review: Review | null
}

/** Writes the first prompt of a session: the rules, the task, what is already known, and what to do now. */
export function openingPrompt(situation: Situation): string {
  const { spec, cause, commit, receipts, handOff } = situation
  const parts = [fillPrompt(situation, 'rules'), fillPrompt(situation, 'task')]
  if (handOff !== null) parts.push(handOffText(handOff, receipts))
  parts.push(phaseText(situation))
  if (cause.kind !== 'brief') parts.push(workSoFar(spec, commit), continuePrompt(situation))
  return parts.filter((part) => part !== '').join('\n\n')
}

/** Writes the next prompt of a running session, with open findings that it may not have seen. */
export function continuePrompt(situation: Situation): string {
  const { cause, findings } = situation
  const open = findingsText(findings)
  if (cause.kind === 'findings' || open === '') return causeText(situation)
  return `${causeText(situation)}\n\nStill to fix:\n\n${open}`
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
      return `Continue with the task: ${cause.why}. Report when it is done.`
    case 'lost':
      return 'You were interrupted, and we do not know which of your last steps took effect. Check first (git status, git log, the files), then continue. Do not repeat anything that is already done.'
    case 'fresh-session':
      return 'An earlier session worked in this folder until its context window was full. Continue from the current state, and do not repeat what is already done.'
    case 'answer':
      return `A person has answered your question:\n\n${cause.text}\n\nContinue with the task. Report when it is done.`
    case 'findings':
      return `${foundBy(cause)}\n\n${findingsText(cause.findings)}\n\n${fixText(situation)}`
  }
}

function foundBy({ from, findings }: Extract<RoundCause, { kind: 'findings' }>): string {
  if (findings.every(({ source }) => source === 'person')) return 'A person has reviewed your work and sent it back:'
  return FROM[from] ?? FROM_CHECKS
}

/** Asks for fixes; a planner has to repeat its whole answer, because later phases work from the last one. */
function fixText({ spec, phase }: Situation): string {
  const { role } = phaseOf(spec.workflow, phase)
  if (role === 'planner') return 'Fix this, and answer with the complete new version.'
  return 'Fix this, then report that the task is done.'
}

const FROM_CHECKS = 'Our checks found problems in your work:'
const FROM: Readonly<Record<string, string>> = {
  landing: 'Your work could not be merged with what has landed in the meantime:',
  review: 'A review found problems in your work:',
  qa: 'Testing found problems in your work:',
}

/** Writes the instructions of the phase. */
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
  const { spec, phase, phaseRounds, commit, receipts, outputs, review, alreadyGreen } = situation
  const [task] = spec.tasks
  const reads = isReader(phaseOf(spec.workflow, phase).role)
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
      .map(([from, digest]) => `Output of the phase ${from}:\n\n${textPlaceholder(digest)}`)
      .join('\n\n'),
    knowledge: spec.knowledge,
    already_green: reads ? '' : listText(alreadyGreen),
    protected: reads ? '' : listText(spec.guard.protect),
    last_results: receiptsText(receipts),
    review: review === null ? '' : issuesText(review.issues),
    writes: reads ? '' : 'yes',
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
  return `The work so far is commit ${commit}, based on ${spec.base}.`
}
