import { readFile } from 'node:fs/promises'
import { LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { type Problem, problem } from '../core/model/problem.ts'
import { fileProblem, type PlacedFault, unreadableReason } from '../core/reading/file-problems.ts'
import { nearestName } from '../core/reading/nearest-name.ts'
import { checkPart, type Fault as FileFault, type Path } from '../core/reading/schema-faults.ts'
import { documentValue, offsetOf, yamlFault } from '../core/reading/yaml-document.ts'
import type { StepForm } from '../forms/step-form.ts'
import type { RequestOrigin } from './dialect.ts'
import type { Scenario, ScenarioFault, ScenarioRule, ScenarioStep } from './scenario.ts'
import { ACT_FORMS, FAULT_FORMS, ordinal, usageSchema } from './step-forms.ts'

/** Parses a scenario in YAML or JSON; the problem lists every fault with its line. */
export function parseScenario(file: string, text: string): Scenario | Problem {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const lineAt = (offset: number): number => lines.linePos(offset).line
  if (document.errors.length > 0) return wrong(file, document.errors, (it) => yamlFault(it, lineAt(it.pos[0])))
  const faults: FileFault[] = []
  const scenario = readTop(documentValue(document, faults), faults)
  if (scenario !== null && faults.length === 0) return scenario
  return wrong(file, faults, ({ path, at, message, hint }) => {
    return { code: 'scenario-wrong', line: lineAt(offsetOf(document.contents, path, at)), message, hint }
  })
}

/** Reads a scenario from a file. */
export async function readScenario(file: string, path: string): Promise<Scenario | Problem> {
  try {
    return parseScenario(file, await readFile(path, 'utf8'))
  } catch (cause) {
    const message = `The scenario ${file} cannot be read: ${unreadableReason(cause)}.`
    const hint = 'Name a scenario file; docs/guides/lab.md describes its format.'
    return problem({ code: 'scenario-unreadable', message, hint, retry: 'person', cause })
  }
}

function wrong<F>(file: string, faults: readonly F[], place: (fault: F) => PlacedFault): Problem {
  return fileProblem(file, faults, place, {
    code: 'scenario-wrong',
    hint: `Correct the scenario ${file} and start again.`,
  })
}

const someText = z.string('text').min(1, 'text that is not empty')
const topShape = {
  usage: usageSchema.optional(),
  rules: z.array(z.unknown(), 'a list of rules').min(1, 'a list of rules'),
}
const ORIGINS = ['agent', 'subagent', 'side'] as const satisfies readonly RequestOrigin[]
const ruleShape = {
  task: someText.optional(),
  attempt: ordinal.optional(),
  session: ordinal.optional(),
  round: ordinal.optional(),
  phase: someText.optional(),
  match: someText.optional(),
  from: z.enum(ORIGINS, `one of ${ORIGINS.join(', ')}`).default('agent'),
  steps: z.array(z.unknown(), 'a list of steps'),
}
const topSchema = z.strictObject(topShape, 'a map with the key "rules"')
const ruleSchema = z.strictObject(ruleShape, 'a map of keys')
const USAGE_KEYS = Object.keys(usageSchema.shape)

function readTop(written: unknown, faults: FileFault[]): Scenario | null {
  if (faults.length > 0) return null
  const keys = (under: PropertyKey | undefined) => (under === 'usage' ? USAGE_KEYS : Object.keys(topShape))
  const top = checkPart(topSchema, written, { path: [], name: 'the scenario', keys }, faults)
  if (top === null) return null
  const rules = top.rules.flatMap((rule, index) => readRule(rule, index, faults))
  return { usage: top.usage ?? null, rules }
}

function readRule(written: unknown, index: number, faults: FileFault[]): readonly ScenarioRule[] {
  const path: Path = ['rules', index]
  const part = { path, name: `rule ${index + 1}`, keys: () => Object.keys(ruleShape) }
  const rule = checkPart(ruleSchema, written, part, faults)
  if (rule === null) return []
  const { task = null, phase = null, attempt = null, session = null, round = null, match = null } = rule
  const name = (at: number): string => `step ${at + 1} of rule ${index + 1}`
  const steps = rule.steps.flatMap((step, at) => readStep(step, [...path, 'steps', at], name(at), faults) ?? [])
  const reported = steps.findIndex(({ act }) => act.kind === 'report')
  if (reported >= 0 && reported < steps.length - 1) {
    const message = `${name(reported)} is a report, and more steps follow.`
    faults.push({
      path: [...path, 'steps', reported],
      at: 'value',
      message,
      hint: 'A report ends the round: put it last.',
    })
  }
  return [{ task, phase, attempt, session, round, match, from: rule.from, steps }]
}

function readStep(written: unknown, path: Path, name: string, faults: FileFault[]): ScenarioStep | null {
  if (!isMap(written)) {
    faults.push(unknownForm(path, name, 'a step', undefined, ACT_FORMS))
    return null
  }
  const { usage, fault, ...rest } = written
  const act = readNamed(rest, path, { name, what: 'a step', forms: ACT_FORMS, also: ['usage', 'fault'] }, faults)
  const used = usage === undefined ? null : readUsage(usage, [...path, 'usage'], name, faults)
  const stepFault = fault === undefined ? null : readFault(fault, [...path, 'fault'], name, faults)
  return act === null ? null : { act, usage: used, fault: stepFault }
}

function readUsage(written: unknown, path: Path, name: string, faults: FileFault[]): ScenarioStep['usage'] {
  if (written === 'none') return written
  return checkPart(usageSchema, written, { path, name: `"usage" of ${name}`, keys: () => USAGE_KEYS }, faults)
}

function readFault(written: unknown, path: Path, stepName: string, faults: FileFault[]): ScenarioFault | null {
  const name = `"fault" of ${stepName}`
  const { times = null, ...rest } = isMap(written) ? written : {}
  const modelFault = readNamed(rest, path, { name, what: 'a fault', forms: FAULT_FORMS, also: ['times'] }, faults)
  const part = { path: [...path, 'times'], name: `"times" of ${name}`, keys: () => [] }
  const counted = times === null ? null : checkPart(ordinal, times, part, faults)
  return modelFault === null ? null : { fault: modelFault, times: counted }
}

interface Named<T> {
  readonly name: string
  /** Expected kind, for messages. */
  readonly what: string
  readonly forms: ReadonlyMap<string, StepForm<T>>
  /** Other keys that are allowed. */
  readonly also: readonly string[]
}

/** Reads a map whose form depends on one of its keys. */
function readNamed<T>(written: object, path: Path, named: Named<T>, faults: FileFault[]): T | null {
  const { name, what, forms, also } = named
  const keys = Object.keys(written)
  const form = keys.flatMap((key) => forms.get(key) ?? [])[0]
  if (form !== undefined) {
    const known = (under: PropertyKey | undefined) => [...form.keys(under), ...(under === undefined ? also : [])]
    return checkPart(form.schema, written, { path, name, keys: known }, faults)
  }
  faults.push(unknownForm(path, name, what, keys[0], forms))
  return null
}

function unknownForm(
  path: Path,
  name: string,
  what: string,
  key: string | undefined,
  forms: ReadonlyMap<string, unknown>,
): FileFault {
  const known = [...forms.keys()]
  const nearest = key === undefined ? null : nearestName(key, known)
  const hint = nearest === null ? `There are ${known.join(', ')}.` : `Write "${nearest}" instead.`
  return key === undefined
    ? { path, at: 'value', message: `${name} is not ${what}.`, hint }
    : { path: [...path, key], at: 'key', message: `${name} is not ${what}: there is no "${key}".`, hint }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
