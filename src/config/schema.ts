import { z } from 'zod'
import { WEIGHTS } from '../core/model/task.ts'
import { PRESET_NAMES } from './presets.ts'
import { agent, role } from './schema-agent.ts'
import { atLeast, choice, dollars, keys, list, named, seconds, share, text, whole } from './schema-parts.ts'
import { gateNamesDiffer, gatesAreKnown, judgeIsReached, limitsFit, thresholdsRise, turnsFit } from './schema-rules.ts'
import { workflows } from './schema-workflows.ts'
import { breakpointsAreMet } from './workflow-rules.ts'

const roles = keys({
  planner: role,
  coder: role,
  tester: role,
  reviewer: role,
  qa: role,
  resolver: role,
  fixer: role,
}).partial()

const context = keys({
  warn: share(1).default(0.7).describe('The share of the window from which a session counts as nearly full.'),
  hand_off: share(100).default(0.8).describe('The share at which a session hands over; more than 1: never.'),
  critical: share(1).default(0.95).describe('The share at which it is interrupted to hand over.'),
  cap: whole(1000, 10_000_000).default(250_000).describe('Tokens that count as a full window, however large it is.'),
  policy: choice(['hand-off', 'compact']).default('hand-off').describe('What happens to a full session.'),
}).superRefine(thresholdsRise)

const turns = keys({
  preset: choice(['default', 'lean']).default('default').describe('The table that turn limits are taken from.'),
  min: whole(1, 300).optional().describe('The fewest turns a round is given; 15, for lean 3.'),
  max: whole(1, 300).optional().describe('The most turns a round is given; 150, for lean 30.'),
  retries: whole(0, 10).default(1).describe('How often a session whose turns are used up is given more.'),
  multiplier: atLeast(1)
    .max(10, { error: 'a number from 1 to 10' })
    .default(2)
    .describe('How many times as many then.'),
}).superRefine(turnsFit)

const time = keys({
  response: seconds(60).default(7200).describe('Seconds for one round.'),
  task: seconds(1).default(21_600).describe('Seconds for one task; waiting for a limit is not counted.'),
  setup: seconds(1).default(900).describe('Seconds for all setup commands of a workspace.'),
  hook: seconds(1).default(60).describe('Seconds for one hook.'),
  silence: seconds(1).default(600).describe('Seconds without a sign of life after which a round is stopped.'),
})

const budget = keys({
  task_usd: dollars().default(5).describe('US dollars for one task, all its attempts together.'),
  run_usd: dollars().default(50).describe('US dollars for one run.'),
  day_usd: dollars().default(100).describe('US dollars for one day (UTC), all runs of the repository together.'),
})

const limits = keys({
  parallel: whole(1, 32).optional().describe('Coding attempts at once; 3.'),
  coding: whole(1, 32).optional().describe('The ceiling for coding attempts at once; 5, or parallel if that is more.'),
  total: whole(1, 100).optional().describe('The ceiling for agents of all roles; 10, or coding if that is more.'),
  attempts: whole(1, 100).default(3).describe('Attempts per task.'),
  hand_offs: whole(0, 100).default(10).describe('Hand-offs per attempt.'),
  error_delay: seconds(0).default(30).describe('Seconds to wait after an error, times the errors in a row.'),
  error_delay_max: seconds(0).optional().describe('The most seconds to wait after an error; 300.'),
  limit_delay: seconds(0)
    .default(15)
    .describe('Seconds to wait at a usage limit without a reset time, doubled each time.'),
  limit_delay_max: seconds(0).optional().describe('The most seconds to wait at such a limit; 3600.'),
}).superRefine(limitsFit)

const gate = keys({
  name: text().describe('What the check is called.'),
  run: text().describe('The command; it passes with exit code 0.'),
  on_fail: choice(['block', 'warn', 'skip']).default('block').describe('What a red result does.'),
  timeout: seconds(1).default(600).describe('Seconds for the command.'),
  protect: list(text(), 'globs').default([]).describe('Files that an attempt may not change without a person.'),
  coverage: share(1)
    .nullable()
    .default(null)
    .describe('The least share of lines that its tests must cover; null: any.'),
})

const hook = text().nullable().default(null)
const workspace = keys({
  setup: list(text(), 'commands').default([]).describe('Commands that make a fresh clone ready for work and checks.'),
  hooks: keys({
    after_create: hook.describe('Runs when a workspace has been made; must pass.'),
    before_run: hook.describe('Runs before each round; must pass.'),
    after_run: hook.describe('Runs after each round.'),
    before_remove: hook.describe('Runs before a workspace is removed.'),
  })
    .prefault({})
    .describe('Commands at moments in the life of a workspace.'),
})

const MODES = ['merge', 'squash'] as const
const landing = keys({
  mode: z
    .enum(MODES, {
      error: ({ input }) => `one of merge, squash${isPlanned(input) ? ` (${input} is not available yet)` : ''}`,
    })
    .default('merge')
    .describe("How an attempt's commits come onto the target."),
})

const JUDGES = ['agent', 'ollama', 'openai'] as const
const KEY_EXPECTED = '$NAME, a variable of yours that holds the key'
const judge = keys({
  driver: choice(JUDGES).describe('Who judges: agent, ollama, or openai for any endpoint that speaks its language.'),
  model: text().nullable().default(null).describe("The model; null: the agent's own. An endpoint needs it."),
  url: z
    .url({ protocol: /^https?$/, error: 'a URL that starts with http:// or https://' })
    .nullable()
    .default(null)
    .describe('The endpoint; null: the agent is asked itself.'),
  key: z
    .string({ error: KEY_EXPECTED })
    .regex(/^\$[A-Za-z_][A-Za-z0-9_]*$/, { error: KEY_EXPECTED })
    .nullable()
    .default(null)
    .describe("The endpoint's key, as $NAME of a variable of yours; never stored. null: it needs none."),
  timeout: seconds(1).optional().describe('Seconds for an answer (30, of an agent 120); then facts alone decide.'),
  opinions: z
    .boolean({ error: 'true or false' })
    .default(false)
    .describe('Whether it is asked about work that has passed its checks.'),
  quality: share(1).default(0.7).describe('What each part of the quality must reach for the work to go on.'),
}).superRefine(judgeIsReached)

const price = keys({ input: atLeast(0), output: atLeast(0), cache_read: atLeast(0), cache_write: atLeast(0) })

const breakpoint = keys({
  before: text().describe('The phase, or landing, before which work stops.'),
  tasks: list(text(), 'globs of task ids').default([]).describe('The tasks it is for; []: all.'),
  weights: list(choice(WEIGHTS), 'weights').default([]).describe('The weights it is for; []: all.'),
  milestones: list(text(), 'milestones').default([]).describe('The milestones it is for; []: all.'),
})

const branch = z
  .string({ error: 'text: the name of a branch' })
  .regex(/^(?![-/])[^\s~^:?*[\\]+$/, { error: 'text: the name of a branch' })

/** Everything `longhaul.yaml` may say: keys, types, defaults and what they are for. */
export const settingsSchema = keys({
  preset: choice(PRESET_NAMES)
    .nullable()
    .default(null)
    .describe('An attitude, whose settings are the defaults under the ones written here.'),
  target: branch.nullable().default(null).describe('The branch work lands on; null: the one checked out.'),
  agent: agent.prefault({}).describe('The agent that does the work.'),
  roles: roles.default({}).describe('Where other roles differ from the agent.'),
  context: context.prefault({}).describe('When a session counts as full, and what happens then.'),
  turns: turns.prefault({}).describe('How many model round trips one prompt may take.'),
  time: time.prefault({}).describe('Time limits, in seconds.'),
  budget: budget.prefault({}).describe('Money; null: no limit.'),
  limits: limits.prefault({}).describe('How much goes on at once, and how often something is tried.'),
  gates: list(gate, 'gates')
    .superRefine(gateNamesDiffer)
    .optional()
    .describe('Checks that must pass; []: none, on purpose.'),
  workspace: workspace.prefault({}).describe('How private clones are made ready.'),
  landing: landing.prefault({}).describe('How finished work comes onto the target.'),
  judge: judge.nullable().default(null).describe('A model that is asked for opinions.'),
  prices: named(text(), price).default({}).describe('US dollars per million tokens, by model.'),
  prompts: named(text(), text())
    .default({})
    .describe("Files with prompts of your own, by name, from the repository's root."),
  ui_tests: z
    .boolean({ error: 'true or false' })
    .default(false)
    .describe('Whether the project is tested in a browser, too.'),
  breakpoints: list(breakpoint, 'breakpoints').default([]).describe('Where a person is asked before work goes on.'),
  workflows: workflows.default({}).describe('The phases that a task of each weight goes through.'),
})
  .superRefine(gatesAreKnown)
  .superRefine(breakpointsAreMet)

/** `longhaul.yaml` as written, with defaults. */
export type WrittenSettings = z.infer<typeof settingsSchema>

/** The schema for editors. */
export function jsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(settingsSchema, { io: 'input', target: 'draft-7' })
}

function isPlanned(mode: unknown): mode is string {
  return mode === 'rebase' || mode === 'pull-request'
}
