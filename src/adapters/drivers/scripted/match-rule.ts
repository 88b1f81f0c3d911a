import type { Role } from '../../../core/model/workflow.ts'
import { isCodingPhase, rehearsedAnswer } from '../../../core/phases/rehearsal.ts'
import { fillIn, globPattern } from '../../../core/reading/text.ts'
import type { ScriptRule } from './parse-script.ts'
import type { ScriptStep } from './step.ts'

/** Round that a rule is searched for. */
export interface RuleSubject {
  readonly task: string
  readonly attempt: number
  readonly phase: string
  readonly role: Role
  /** Number within the phase. */
  readonly round: number
}

/**
 * Returns the steps of the first rule that matches this round, with its names filled in. A rule without a phase matches
 * coding phases; in other phases an agent without a rule approves. Null when a coding phase has no rule.
 */
export function stepsFor(rules: readonly ScriptRule[], subject: RuleSubject): readonly ScriptStep[] | null {
  const rule = rules.find((candidate) => matches(candidate, subject))
  if (rule !== undefined) return rule.steps.map((step) => fillStep(step, subject))
  if (isCodingPhase(subject.phase, subject.role)) return null
  return [
    { kind: 'say', text: rehearsedAnswer(subject.role) },
    { kind: 'report', claim: 'done', reason: '' },
  ]
}

function matches(rule: ScriptRule, { task, attempt, phase, role, round }: RuleSubject): boolean {
  const agrees = (expected: unknown, actual: unknown): boolean => expected === null || expected === actual
  return (
    (rule.phase === null ? isCodingPhase(phase, role) : rule.phase === phase) &&
    agrees(rule.round, round) &&
    agrees(rule.attempt, attempt) &&
    globPattern(rule.task).test(task)
  )
}

function fillStep(step: ScriptStep, { task, attempt, round }: RuleSubject): ScriptStep {
  const fill = (text: string): string => fillIn(text, { task, attempt, round })
  switch (step.kind) {
    case 'say':
    case 'note':
      return { ...step, text: fill(step.text) }
    case 'write':
      return { ...step, path: fill(step.path), text: fill(step.text) }
    case 'delete':
      return { ...step, path: fill(step.path) }
    case 'run':
      return { ...step, command: fill(step.command) }
    default:
      return step
  }
}
