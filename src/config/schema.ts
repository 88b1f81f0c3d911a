import { z } from 'zod'
import { SANDBOX_LEVELS } from '../core/model/settings.ts'
import { WEIGHTS } from '../core/model/task.ts'
import { readHostRule } from '../core/sandbox/host-rules.ts'
import { PRESET_NAMES } from './presets.ts'
import { agent, role } from './schema-agent.ts'
import { atLeast, choice, dollars, keys, list, named, seconds, share, text, whole } from './schema-parts.ts'
import {
  gateNamesDiffer,
  gatesAreKnown,
  judgeIsReached,
  limitsFit,
  sandboxFits,
  thresholdsRise,
  turnsFit,
} from './schema-rules.ts'
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
  warn: share(1).default(0.7).describe('Share of the context window at which a session counts as nearly full.'),
  hand_off: share(100).default(0.8).describe('Share at which a session is handed off; above 1 means never.'),
  critical: share(1).default(0.95).describe('Share at which a session is interrupted to hand it off.'),
  cap: whole(1000, 10_000_000)
    .default(250_000)
    .describe('Tokens that count as a full window, even if the window is larger.'),
  policy: choice(['hand-off', 'compact']).default('hand-off').describe('What to do with a full session.'),
}).superRefine(thresholdsRise)

const turns = keys({
  preset: choice(['default', 'lean']).default('default').describe('Table of turn limits.'),
  min: whole(1, 300).optional().describe('Minimum turn limit of a round; by default 15, or 3 for lean.'),
  max: whole(1, 300).optional().describe('Maximum turn limit of a round; by default 150, or 30 for lean.'),
  retries: whole(0, 10).default(1).describe('How often a session that used up its turns gets more.'),
  multiplier: atLeast(1)
    .max(10, { error: 'a number from 1 to 10' })
    .default(2)
    .describe('Factor by which its turn limit grows each time.'),
}).superRefine(turnsFit)

const time = keys({
  response: seconds(60).default(7200).describe('Seconds for one round.'),
  task: seconds(1).default(21_600).describe('Seconds for one task, not counting waits for usage limits.'),
  setup: seconds(1).default(900).describe('Seconds for all setup commands of a workspace.'),
  hook: seconds(1).default(60).describe('Seconds for one hook.'),
  silence: seconds(1).default(600).describe('Seconds without any output after which a round is stopped.'),
})

const budget = keys({
  task_usd: dollars().default(5).describe('US dollars for one task, over all its attempts.'),
  run_usd: dollars().default(50).describe('US dollars for one run.'),
  day_usd: dollars().default(100).describe('US dollars for one day (UTC), over all runs of the repository.'),
})

const limits = keys({
  parallel: whole(1, 32).optional().describe('Coding attempts at the same time; by default 3.'),
  coding: whole(1, 32)
    .optional()
    .describe('Upper limit for coding attempts at the same time; by default 5, or parallel if that is more.'),
  total: whole(1, 100)
    .optional()
    .describe('Upper limit for agents of all roles; by default 10, or coding if that is more.'),
  attempts: whole(1, 100).default(3).describe('Attempts per task.'),
  hand_offs: whole(0, 100).default(10).describe('Hand-offs per attempt.'),
  error_delay: seconds(0)
    .default(30)
    .describe('Seconds to wait after an error, multiplied by the number of errors in a row.'),
  error_delay_max: seconds(0).optional().describe('Maximum seconds to wait after an error; by default 300.'),
  limit_delay: seconds(0)
    .default(15)
    .describe('Seconds to wait at a usage limit without a reset time, doubled each time.'),
  limit_delay_max: seconds(0).optional().describe('Maximum seconds to wait at such a limit; by default 3600.'),
}).superRefine(limitsFit)

const gate = keys({
  name: text().describe('Name of the check.'),
  run: text().describe('Command; exit code 0 means passed.'),
  on_fail: choice(['block', 'warn', 'skip']).default('block').describe('What a failure does.'),
  timeout: seconds(1).default(600).describe('Seconds for the command.'),
  protect: list(text(), 'globs').default([]).describe('Files that an attempt may not change without your approval.'),
  canary: text()
    .default('changed')
    .describe(
      'When a failure is planted to prove that the check can fail: changed (once per definition), always or never; or a command, or a .patch file, that plants one.',
    ),
  coverage: share(1).nullable().default(null).describe('Minimum share of lines that its tests must cover, or null.'),
})

const hook = text().nullable().default(null)
const workspace = keys({
  setup: list(text(), 'commands').default([]).describe('Commands that prepare a fresh clone for work and checks.'),
  hooks: keys({
    after_create: hook.describe('Runs after a workspace is created; must pass.'),
    before_run: hook.describe('Runs before each round; must pass.'),
    after_run: hook.describe('Runs after each round.'),
    before_remove: hook.describe('Runs before a workspace is removed.'),
  })
    .prefault({})
    .describe('Commands that run at points in the life of a workspace.'),
})

const PLACE_EXPECTED = 'an absolute path, or one that starts with ~/'
const MODES = ['merge', 'squash'] as const
const landing = keys({
  mode: z
    .enum(MODES, {
      error: ({ input }) => `one of merge, squash${isPlanned(input) ? ` (${input} is not available yet)` : ''}`,
    })
    .default('merge')
    .describe("How an attempt's commits get onto the target."),
})

const place = z.string({ error: PLACE_EXPECTED }).regex(/^(?:\/|~\/).*[^/]$/, { error: PLACE_EXPECTED })
const host = text().superRefine((value, rule) => {
  const read = readHostRule(value)
  if (read.kind === 'fault') rule.addIssue({ code: 'custom', message: read.mustBe })
})
const sandbox = keys({
  level: choice(SANDBOX_LEVELS)
    .default('standard')
    .describe('How far agents, checks and setup are shut in: trusted (their processes only), standard or strict.'),
  required: z
    .boolean({ error: 'true or false' })
    .optional()
    .describe('True to start nothing without the sandbox; by default false, or true for strict.'),
  read: list(place, 'paths').default([]).describe('Further folders and files that they may read.'),
  write: list(place, 'paths').default([]).describe('Further folders that they may write.'),
  sockets: list(place, 'paths')
    .default([])
    .describe('Sockets of this machine that they may use. With a Docker socket they can leave the sandbox.'),
  hosts: list(host, 'hosts').default([]).describe('Further hosts that they may reach, such as *.example.org.'),
  loopback: list(whole(1, 65_535), 'ports').default([]).describe('Ports of 127.0.0.1 that they may reach.'),
  web: choice(['off', 'on']).default('off').describe('on to let agents reach every public host.'),
}).superRefine(sandboxFits)

const JUDGES = ['agent', 'ollama', 'openai'] as const
const KEY_EXPECTED = '$NAME, an environment variable that holds the key'
const judge = keys({
  driver: choice(JUDGES).describe('Kind of judge: agent, ollama, or openai for any compatible endpoint.'),
  model: text().nullable().default(null).describe("Model; null for the agent's own. Required for an endpoint."),
  url: z
    .url({ protocol: /^https?$/, error: 'a URL that starts with http:// or https://' })
    .nullable()
    .default(null)
    .describe('URL of the endpoint; null when the agent is the judge.'),
  key: z
    .string({ error: KEY_EXPECTED })
    .regex(/^\$[A-Za-z_][A-Za-z0-9_]*$/, { error: KEY_EXPECTED })
    .nullable()
    .default(null)
    .describe('Key of the endpoint, as the $NAME of an environment variable; never stored. Null if it needs none.'),
  timeout: seconds(1)
    .optional()
    .describe(
      'Seconds to answer; by default 30, or 120 for an agent. After that, the run continues without the judge.',
    ),
  opinions: z
    .boolean({ error: 'true or false' })
    .default(false)
    .describe('True to ask the judge about work that has passed its checks.'),
  quality: share(1).default(0.7).describe('Minimum for each quality score; below it, work goes back.'),
}).superRefine(judgeIsReached)

const price = keys({ input: atLeast(0), output: atLeast(0), cache_read: atLeast(0), cache_write: atLeast(0) })

const breakpoint = keys({
  before: text().describe('Phase, or landing, before which work stops.'),
  tasks: list(text(), 'globs of task ids').default([]).describe('Tasks it applies to; [] for all.'),
  weights: list(choice(WEIGHTS), 'weights').default([]).describe('Weights it applies to; [] for all.'),
  milestones: list(text(), 'milestones').default([]).describe('Milestones it applies to; [] for all.'),
})

const branch = z
  .string({ error: 'text: the name of a branch' })
  .regex(/^(?![-/])[^\s~^:?*[\\]+$/, { error: 'text: the name of a branch' })

/** Schema of `longhaul.yaml`: keys, types, defaults and descriptions. */
export const settingsSchema = keys({
  preset: choice(PRESET_NAMES)
    .nullable()
    .default(null)
    .describe('A preset, whose settings are the defaults for the ones not written here.'),
  target: branch.nullable().default(null).describe('Branch that work lands on; null for the one checked out.'),
  agent: agent.prefault({}).describe('The agent that does the work.'),
  roles: roles.default({}).describe('Where roles differ from the agent.'),
  context: context.prefault({}).describe('When a session counts as full, and what happens then.'),
  turns: turns.prefault({}).describe('How many model calls one prompt may take.'),
  time: time.prefault({}).describe('Time limits, in seconds.'),
  budget: budget.prefault({}).describe('Cost limits; null for no limit.'),
  limits: limits.prefault({}).describe('Limits on concurrency, attempts and delays.'),
  gates: list(gate, 'gates')
    .superRefine(gateNamesDiffer)
    .optional()
    .describe('Checks that must pass; [] to work without checks.'),
  workspace: workspace.prefault({}).describe('How private clones are prepared.'),
  landing: landing.prefault({}).describe('How finished work gets onto the target.'),
  sandbox: sandbox.prefault({}).describe('What agents, checks and setup commands can see and reach.'),
  judge: judge.nullable().default(null).describe('Model that is asked for opinions.'),
  prices: named(text(), price).default({}).describe('US dollars per million tokens, by model.'),
  prompts: named(text(), text())
    .default({})
    .describe("Files of custom prompts, by name, relative to the repository's root."),
  ui_tests: z
    .boolean({ error: 'true or false' })
    .default(false)
    .describe('True if the project is also tested in a browser.'),
  breakpoints: list(breakpoint, 'breakpoints')
    .default([])
    .describe('Points where work stops until a person approves it.'),
  workflows: workflows.default({}).describe('Phases that a task of each weight goes through.'),
})
  .superRefine(gatesAreKnown)
  .superRefine(breakpointsAreMet)

/** `longhaul.yaml` as written, with defaults. */
export type WrittenSettings = z.infer<typeof settingsSchema>

/** Converts the schema to JSON Schema, for editors. */
export function jsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(settingsSchema, { io: 'input', target: 'draft-7' })
}

function isPlanned(mode: unknown): mode is string {
  return mode === 'rebase' || mode === 'pull-request'
}
