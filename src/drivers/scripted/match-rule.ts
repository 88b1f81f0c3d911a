import { fillIn } from '../../core/reading/fill-in.ts'
import { globPattern } from '../../core/reading/glob-pattern.ts'
import type { Rule } from './parse-script.ts'
import type { Step } from './step.ts'

/** The round a rule is looked for. */
export interface RuleSubject {
  readonly task: string
  readonly attempt: number
  readonly phase: string
  /** Within the phase. */
  readonly round: number
}

/** The steps of the first rule that is for this round, with its names filled in; null when none is. */
export function stepsFor(rules: readonly Rule[], subject: RuleSubject): readonly Step[] | null {
  const rule = rules.find((candidate) => isFor(candidate, subject))
  return rule === undefined ? null : rule.steps.map((step) => filledIn(step, subject))
}

function isFor(rule: Rule, { task, attempt, phase, round }: RuleSubject): boolean {
  const agrees = (wanted: unknown, given: unknown): boolean => wanted === null || wanted === given
  return (
    agrees(rule.phase, phase) &&
    agrees(rule.round, round) &&
    agrees(rule.attempt, attempt) &&
    globPattern(rule.task).test(task)
  )
}

function filledIn(step: Step, { task, attempt, round }: RuleSubject): Step {
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
