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

function globPattern(glob: string): RegExp {
  const literal = glob.replaceAll(/[\\^$.+()[\]{}|/-]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll(/\*+/g, '.*').replaceAll('?', '.')}$`, 's')
}

function filledIn(step: Step, subject: RuleSubject): Step {
  switch (step.kind) {
    case 'say':
    case 'note':
      return { ...step, text: fill(step.text, subject) }
    case 'write':
      return { ...step, path: fill(step.path, subject), text: fill(step.text, subject) }
    case 'delete':
      return { ...step, path: fill(step.path, subject) }
    case 'run':
      return { ...step, command: fill(step.command, subject) }
    default:
      return step
  }
}

// Not after a dollar sign: "${task}" is the shell's own.
function fill(text: string, { task, attempt, round }: RuleSubject): string {
  const values: Readonly<Record<string, string>> = { task, attempt: String(attempt), round: String(round) }
  return text.replaceAll(/(?<!\$)\{(task|attempt|round)\}/g, (written, name: string) => values[name] ?? written)
}
