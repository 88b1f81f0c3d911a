import { LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import type { Problem } from '../../../core/model/problem.ts'
import { fileProblem, type PlacedFault } from '../../../core/reading/file-problems.ts'
import { nearestName } from '../../../core/reading/nearest-name.ts'
import { checkPart, type Fault, type Path } from '../../../core/reading/schema-faults.ts'
import { documentValue, offsetOf, yamlFault } from '../../../core/reading/yaml-document.ts'
import { type ScriptStep, STEP_FORMS } from './step.ts'

/** Steps of the agent for the rounds that a rule matches. */
export interface ScriptRule {
  /** Glob of task ids. */
  readonly task: string
  readonly phase: string | null
  /** Number of the round within its phase. */
  readonly round: number | null
  readonly attempt: number | null
  readonly steps: readonly ScriptStep[]
}

/** Parses a script in YAML or JSON; the problem lists every fault with its line. */
export function parseScript(file: string, text: string): readonly ScriptRule[] | Problem {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const lineAt = (offset: number): number => lines.linePos(offset).line
  if (document.errors.length > 0) {
    return wrongScript(file, document.errors, (error) => yamlFault(error, lineAt(error.pos[0])))
  }
  const faults: Fault[] = []
  const rules = readRules(documentValue(document, faults), faults)
  if (faults.length === 0) return rules
  return wrongScript(file, faults, ({ path, at, message, hint }) => {
    return { line: lineAt(offsetOf(document.contents, path, at)), message, hint }
  })
}

function wrongScript<F>(file: string, faults: readonly F[], place: (fault: F) => Omit<PlacedFault, 'code'>): Problem {
  return fileProblem(file, faults, (fault) => ({ ...place(fault), code: 'script-wrong' }), {
    code: 'script-wrong',
    hint: `Correct the script ${file} and start again.`,
  })
}

const ordinal = z.int('a whole number').min(1, '1 or more').optional()
const ruleShape = {
  task: z.string('text').min(1, 'text that is not empty'),
  phase: z.string('the name of a phase').min(1, 'the name of a phase').optional(),
  round: ordinal,
  attempt: ordinal,
  steps: z.array(z.unknown(), 'a list of steps'),
}
const ruleSchema = z.strictObject(ruleShape, 'a map of keys')

function readRules(script: unknown, faults: Fault[]): readonly ScriptRule[] {
  if (faults.length > 0) return []
  if (Array.isArray(script) && script.length > 0) return script.flatMap((rule, index) => readRule(rule, index, faults))
  const hint = 'Write at least one: - { task: "*", steps: [ { report: done } ] }'
  faults.push({ path: [], at: 'value', message: 'a script is a list of rules.', hint })
  return []
}

function readRule(written: unknown, index: number, faults: Fault[]): readonly ScriptRule[] {
  const part = { path: [index], name: `rule ${index + 1}`, keys: () => Object.keys(ruleShape) }
  const rule = checkPart(ruleSchema, written, part, faults)
  if (rule === null) return []
  const { task, phase = null, round = null, attempt = null } = rule
  const steps = rule.steps.flatMap((step, at) => readStep(step, [index, 'steps', at], faults) ?? [])
  return [{ task, phase, round, attempt, steps }]
}

function readStep(written: unknown, path: readonly [number, 'steps', number], faults: Fault[]): ScriptStep | null {
  const name = `step ${path[2] + 1} of rule ${path[0] + 1}`
  const keys = typeof written === 'object' && written !== null ? Object.keys(written) : []
  const formOfStep = keys.flatMap((key) => STEP_FORMS.get(key) ?? [])[0]
  if (formOfStep !== undefined)
    return checkPart(formOfStep.schema, written, { path, name, keys: formOfStep.keys }, faults)
  faults.push(unknownStep(path, name, keys[0]))
  return null
}

function unknownStep(path: Path, name: string, key: string | undefined): Fault {
  const known = [...STEP_FORMS.keys()]
  const nearest = key === undefined ? null : nearestName(key, known)
  const hint = nearest === null ? `Steps are ${known.join(', ')}.` : `Write "${nearest}" instead.`
  return key === undefined
    ? { path, at: 'value', message: `${name} is not a step.`, hint }
    : { path: [...path, key], at: 'key', message: `${name} is not a step: there is no "${key}".`, hint }
}
