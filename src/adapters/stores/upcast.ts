import type { LedgerId } from '../../core/model/ids.ts'
import { ProblemError, problem } from '../../core/model/problem.ts'
import { NO_TOTALS } from '../../core/model/usage.ts'
import { FIRST_WORKFLOWS, firstWorkflow } from '../../core/phases/first-workflows.ts'
import { withCheckKeys, withEndKeys } from './upcast-checks.ts'

/** A fact as it was written: its body, and the version of its kind at that time. */
export interface StoredEvent {
  readonly ledger: LedgerId
  readonly version: number
  readonly body: { readonly kind: string }
}

/** Brings a fact from one version of its kind to the next. */
export type Upcaster = (body: { readonly kind: string }) => { readonly kind: string }

/** For each kind of the two sorts of ledger that has changed: the step from version 1 to 2, from 2 to 3, and so on. */
export type Upcasters = Readonly<Record<'run' | 'attempt', ReadonlyMap<string, readonly Upcaster[]>>>

const UPCASTERS: Upcasters = {
  run: new Map<string, readonly Upcaster[]>([
    [
      'run-opened',
      [(body) => ({ ...body, samplesBefore: {} }), (body) => ({ ...body, knowledgeBefore: [], proposalsBefore: [] })],
    ],
    [
      'attempt-started',
      [(body) => ({ ...body, limits: FIRST_LIMITS, credential: '' }), (body) => ({ ...body, knowledge: '' })],
    ],
    ['attempt-ended', [(body) => ({ ...body, activeMs: 0, longest: null }), withCheckKeys, withEndKeys]],
    ['budget-crossed', [(body) => ({ ...body, task: null })]],
    ['milestone-summed-up', [(body) => ({ ...body, totals: NO_TOTALS })]],
    [
      'settings-adopted',
      [
        (body) => ({ ...body, values: withAgentKeys((body as Adopting).values) }),
        (body) => ({ ...body, values: withCoverage((body as Adopting).values) }),
        (body) => ({
          ...body,
          values: {
            ...(body as Adopting).values,
            workflows: FIRST_WORKFLOWS,
            breakpoints: [],
            prompts: {},
            uiTests: false,
          },
        }),
        withJudgeKeys,
      ],
    ],
    ['baseline-checked', [withoutTests, withCheckKeys, withCheckKeys]],
    ['candidate-checked', [withoutTests, withCheckKeys]],
    ['candidate-refused', [withoutTests, withCheckKeys, withCheckKeys]],
    ['landed', [withoutTests, withCheckKeys]],
    ['synced', [withoutTests, withCheckKeys]],
    ['reverted', [withoutTests, withCheckKeys]],
    ['revert-refused', [withCheckKeys, withCheckKeys]],
    ['attempt-waiting', [withAsks]],
  ]),
  attempt: new Map<string, readonly Upcaster[]>([
    ['attempt-ended', [(body) => ({ ...body, activeMs: 0, longest: null }), withCheckKeys, withEndKeys]],
    [
      'attempt-opened',
      [
        withContext,
        (body) => ({ ...body, spec: withAgentKeys((body as Opening).spec) }),
        withTurnsWhy,
        (body) => ({ ...body, spec: withCoverage((body as Opening).spec) }),
        withWorkflow,
        (body) => ({ ...body, spec: { ...(body as Opening).spec, knowledge: '' } }),
        (body) => ({ ...body, spec: { ...(body as Opening).spec, before: [], judge: null } }),
      ],
    ],
    ['session-opened', [(body) => ({ ...body, cli: null })]],
    [
      'usage-observed',
      [
        (body) => ({ ...body, usage: { ...(body as Usage).usage, scope: 'main' } }),
        (body) => ({ ...body, usage: { ...(body as Usage).usage, hourCacheWrite: 0 } }),
      ],
    ],
    ['checkpoint-made', [(body) => ({ ...body, history: null })]],
    ['round-ended', [(body) => ({ ...body, end: { ...(body as Ending).end, note: null } }), withoutTotals]],
    ['verdict-given', [withoutTests, withCheckKeys, withCheckKeys]],
    ['round-started', [withCheckKeys, withCheckKeys]],
    ['attempt-waiting', [withAsks]],
    ['work-returned', [withCheckKeys, (body) => ({ ...body, to: 'implement' }), withCheckKeys]],
    ['attempt-closing', [withCheckKeys, withCheckKeys]],
    ['told', [withCheckKeys, withCheckKeys]],
  ]),
}

type WithAgent = { readonly agent: object }
type WithGates = { readonly gates: readonly object[] | null }
type Opening = { readonly kind: string; readonly spec: WithAgent & WithGates & { readonly bounds: object } }
type FirstSpec = { readonly phases: readonly string[]; readonly bounds: { readonly roundsMax: number } }
type FirstOpening = { readonly kind: string; readonly spec: FirstSpec }
type Adopting = { readonly kind: string; readonly values: WithAgent & WithGates }
type Checking = { readonly kind: string; readonly receipts: readonly object[] }
type Usage = { readonly kind: string; readonly usage: object }
type Ending = { readonly kind: string; readonly end: object }

/** The first release did not look at the task. */
const FIRST_WHY = 'turns.max of the settings'
const FIRST_LIMITS = {
  turns: 150,
  turnsWhy: FIRST_WHY,
  roundMs: 7_200_000,
  roundWhy: 'time.response',
  taskMs: 21_600_000,
}

/** The first rounds' ends did not say what had been used up. */
function withoutTotals(body: { readonly kind: string }): { readonly kind: string } {
  return { ...body, usd: null, totals: null } as { readonly kind: string }
}

/** The first receipts did not say what the output told of tests. */
function withoutTests(body: { readonly kind: string }): { readonly kind: string } {
  const receipts = (body as Checking).receipts.map((receipt) => ({ ...receipt, tests: null, coverage: null }))
  return { ...body, receipts } as { readonly kind: string }
}

/** The first gates asked for no coverage. */
function withCoverage<Holder extends WithGates>(holder: Holder): Holder {
  return { ...holder, gates: holder.gates?.map((gate) => ({ ...gate, coverage: null })) ?? null }
}

/** Attempts of the first release knew nothing of how full a session was. */
function withContext(body: { readonly kind: string }): { readonly kind: string } {
  const context = { warn: 0.7, handOff: 0.8, critical: 0.95, cap: 250_000, policy: 'hand-off' }
  return { ...body, spec: { ...(body as Opening).spec, context } } as { readonly kind: string }
}

const FIRST_JUDGE = { key: null, timeoutMs: 30_000, opinions: false, quality: 0.7 }

/** The first judges were never asked. */
function withJudgeKeys(body: { readonly kind: string }): { readonly kind: string } {
  const { values } = body as { readonly kind: string; readonly values: { readonly judge: object | null } }
  const judge = values.judge === null ? null : { ...FIRST_JUDGE, ...values.judge }
  return { ...body, values: { ...values, judge } } as { readonly kind: string }
}

/** A person could only act, and then retry. */
function withAsks(body: { readonly kind: string }): { readonly kind: string } {
  const { for: wait } = body as unknown as { readonly for: { readonly kind: string } }
  if (wait.kind !== 'person') return body
  return { ...body, for: { ...wait, asks: 'act', gate: null, allows: [] } } as { readonly kind: string }
}

/** The first attempts went through phases that their weight alone decided. */
function withWorkflow(body: { readonly kind: string }): { readonly kind: string } {
  const { phases, bounds, ...same } = (body as FirstOpening).spec
  const { roundsMax, ...left } = bounds
  const spec = {
    ...same,
    bounds: left,
    workflow: firstWorkflow(phases, roundsMax),
    agents: {},
    breakpoints: [],
    prompts: {},
    uiTests: false,
  }
  return { ...body, spec } as { readonly kind: string }
}

function withTurnsWhy(body: { readonly kind: string }): { readonly kind: string } {
  const { spec } = body as Opening
  return { ...body, spec: { ...spec, bounds: { ...spec.bounds, turnsWhy: FIRST_WHY } } } as { readonly kind: string }
}

/** The first release's agents had neither tools nor servers to choose from. */
function withAgentKeys<Holder extends WithAgent>(holder: Holder): Holder {
  const unset = { fallbackModel: null, effort: null, systemPrompt: null, tools: { allow: null, deny: [] }, mcp: {} }
  return { ...holder, agent: { ...unset, settingSources: ['user', 'project'], subagents: 3, ...holder.agent } }
}

/** A stored fact as the code knows it now. */
export function upcast(stored: StoredEvent, upcasters = UPCASTERS): { readonly kind: string } {
  const { ledger, version, body } = stored
  const steps = stepsOf(ledger, body.kind, upcasters)
  if (version > steps.length + 1) throw new ProblemError(newerFact(stored))
  if (version > steps.length) return body
  return steps.slice(version - 1).reduce((fact, step) => step(fact), body)
}

/** The version in which facts of a kind are written now. */
export function versionOf(ledger: LedgerId, kind: string, upcasters = UPCASTERS): number {
  return stepsOf(ledger, kind, upcasters).length + 1
}

const NO_STEPS: readonly Upcaster[] = []

// Both sorts of ledger have kinds of the same name.
function stepsOf(ledger: LedgerId, kind: string, upcasters: Upcasters): readonly Upcaster[] {
  return upcasters[ledger.startsWith('run/') ? 'run' : 'attempt'].get(kind) ?? NO_STEPS
}

function newerFact({ ledger, version, body }: StoredEvent) {
  return problem({
    code: 'state-newer',
    message: `Ledger ${ledger} holds "${body.kind}" in version ${version}, which a newer Longhaul wrote. It was left untouched.`,
    hint: 'Install the newer Longhaul and do the same again.',
    retry: 'never',
  })
}
