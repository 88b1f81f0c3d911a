import type { z } from 'zod'
import { SANDBOX_PORTS } from '../core/sandbox/ports.ts'
import {
  type Ceilings,
  ceilingsOf,
  type Delays,
  delaysMaxOf,
  TURN_BOUNDS,
  type TurnBounds,
} from './dependent-defaults.ts'

// Rules between keys. As with types, messages complete the sentence "context.hand_off must be …; got …".

/** Checks that the context thresholds rise; a hand-off above 1 is switched off. */
export function thresholdsRise({ warn, hand_off, critical }: Thresholds, rule: z.RefinementCtx): void {
  const isOff = hand_off > 1
  const hint = 'Make warn the smallest and critical the largest; a hand_off above 1 switches hand-offs off.'
  const rise = (key: string, value: number, below: string, least: number) => {
    if (value > least) return
    rule.addIssue({
      code: 'custom',
      path: [key],
      message: `above context.${below} (${least})`,
      params: { hint, byDefault: value },
    })
  }
  if (!isOff) rise('hand_off', hand_off, 'warn', warn)
  if (isOff) rise('critical', critical, 'warn', warn)
  else rise('critical', critical, 'hand_off', hand_off)
}

interface Thresholds {
  readonly warn: number
  readonly hand_off: number
  readonly critical: number
}

/** Checks that turns.min is at most turns.max, and at least three for lean. */
export function turnsFit({ preset, min, max }: TurnBounds, rule: z.RefinementCtx): void {
  const usual = TURN_BOUNDS[preset]
  const hint = `Without min and max, ${preset} goes from ${usual.min} to ${usual.max}.`
  const lean = TURN_BOUNDS.lean.min
  for (const [key, value] of Object.entries({ min, max })) {
    if (preset === 'lean' && value !== undefined && value < lean) complain(rule, key, `at least ${lean} for lean`, hint)
  }
  if (min !== undefined && max !== undefined && max < min) complain(rule, 'max', `at least turns.min (${min})`, hint)
}

/** Checks that the sandbox's network has what the settings ask for. */
export function sandboxFits({ level, web, loopback }: SandboxNetwork, rule: z.RefinementCtx): void {
  if (level === 'strict' && web === 'on')
    complain(rule, 'web', 'off for strict', 'In strict, agents reach the model and sandbox.hosts only.')
  const taken = loopback.find((port) => Object.values<number>(SANDBOX_PORTS).includes(port))
  if (taken !== undefined)
    complain(
      rule,
      'loopback',
      `ports other than ${taken}, which the sandbox uses itself`,
      'Use another port for your server.',
    )
}

interface SandboxNetwork {
  readonly level: string
  readonly web: string
  readonly loopback: readonly number[]
}

/** Checks that attempts fit below their ceilings, and that maximum delays are not below the first. */
export function limitsFit(limits: Ceilings & Delays, rule: z.RefinementCtx): void {
  const { parallel, coding, total } = ceilingsOf(limits)
  if (parallel > coding) {
    const ceiling = limits.coding === undefined ? 'total' : 'coding'
    const hint = `Raise limits.${ceiling} to ${parallel}, or lower limits.parallel.`
    complain(rule, 'parallel', `at most limits.${ceiling} (${limits[ceiling]})`, hint)
  }
  if (coding > total) complain(rule, 'total', `at least limits.coding (${coding})`, `Raise it to ${coding}.`)
  const { error, limit } = delaysMaxOf(limits)
  if (error < limits.error_delay) tooShort(rule, 'error_delay', limits.error_delay)
  if (limit < limits.limit_delay) tooShort(rule, 'limit_delay', limits.limit_delay)
}

function tooShort(rule: z.RefinementCtx, key: string, delay: number): void {
  complain(rule, `${key}_max`, `at least limits.${key} (${delay})`, `Raise it, or lower limits.${key}.`)
}

/** Checks that no two gates share a name. */
export function gateNamesDiffer(gates: readonly { readonly name: string }[], rule: z.RefinementCtx): void {
  const names = gates.map(({ name }) => name)
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) === index) continue
    rule.addIssue({
      code: 'custom',
      path: [index, 'name'],
      message: 'a name that no other gate has',
      params: { hint: 'Rename it; receipts refer to gates by name.' },
    })
  }
}

/** Checks that phases name existing gates. */
export function gatesAreKnown(
  { gates, workflows }: { readonly gates?: readonly Named[] | undefined; readonly workflows: Workflows },
  rule: z.RefinementCtx,
): void {
  const known = gates?.map(({ name }) => name) ?? []
  const hint = known.length === 0 ? 'No gates are configured.' : `Configured gates: ${known.join(', ')}.`
  for (const [weight, workflow] of Object.entries(workflows)) {
    for (const [index, { gates: wanted = [] }] of workflow?.phases.entries() ?? []) {
      for (const [at, name] of wanted === 'all' ? [] : wanted.entries()) {
        if (known.includes(name)) continue
        const path = ['workflows', weight, 'phases', index, 'gates', at]
        rule.addIssue({ code: 'custom', path, message: "a gate's name", params: { hint } })
      }
    }
  }
}

interface Named {
  readonly name: string
}
type Workflows = Readonly<Record<string, { readonly phases: readonly WithGates[] } | undefined>>
interface WithGates {
  readonly gates?: 'all' | readonly string[] | undefined
}

/** Checks that a scripted agent has a script. */
export function scriptIsNamed(
  { driver, script }: { readonly driver: string; readonly script: string | null },
  rule: z.RefinementCtx,
): void {
  if (driver !== 'scripted' || script !== null) return
  complain(rule, 'script', 'the path of a script, because agent.driver is scripted', 'Add "script: FILE" to agent.')
}

/** Checks that an endpoint has a URL and a model, and that the agent as judge has neither URL nor key. */
export function judgeIsReached({ driver, ...values }: WrittenJudge, rule: z.RefinementCtx): void {
  for (const key of ['model', 'url', 'key'] as const) {
    if (driver === 'agent' && key !== 'model' && values[key] !== null)
      complain(
        rule,
        key,
        'left out, because judge.driver is agent',
        `Remove judge.${key}: the agent itself is the judge.`,
      )
    if (driver !== 'agent' && key !== 'key' && values[key] === null)
      complain(rule, key, `${NEEDED[key]}, because judge.driver is ${driver}`, `Add "${key}: …" to judge.`)
  }
}

const NEEDED = { model: 'the name of a model', url: 'a URL' }

interface WrittenJudge {
  readonly driver: string
  readonly model: string | null
  readonly url: string | null
  readonly key: string | null
}

/** Checks that an MCP server is either a program or a URL. */
export function mcpServerIsOne(
  { command, url }: { readonly command?: string | undefined; readonly url?: string | undefined },
  rule: z.RefinementCtx,
): void {
  if ((command === undefined) !== (url === undefined)) return
  complain(
    rule,
    'command',
    'set, or url instead',
    'Set "command" for a program, or "url" for a running server; not both.',
  )
}

function complain(rule: z.RefinementCtx, key: string, message: string, hint: string): void {
  rule.addIssue({ code: 'custom', path: [key], message, params: { hint } })
}
