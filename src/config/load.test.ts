import { describe, expect, test } from 'vitest'
import { PLAIN_SANDBOX, type Settings } from '../core/model/settings.ts'
import { loadSettings } from './load.ts'

const SHIPPED = (load(null) as Settings).workflows
const DEFAULTS: Settings = {
  sources: ['longhaul.yaml'],
  target: null,
  agent: {
    driver: 'claude',
    model: null,
    access: 'workspace',
    env: {},
    script: null,
    fallbackModel: null,
    effort: null,
    tools: { allow: null, deny: [] },
    mcp: {},
    settingSources: ['project'],
    systemPrompt: null,
    subagents: 3,
  },
  roles: {},
  context: { warn: 0.7, handOff: 0.8, critical: 0.95, cap: 250_000, policy: 'hand-off' },
  turns: { preset: 'default', min: 15, max: 150, retries: 1, multiplier: 2 },
  time: { responseMs: 7_200_000, taskMs: 21_600_000, setupMs: 900_000, hookMs: 60_000, silenceMs: 600_000 },
  budget: { taskUsd: 5, runUsd: 50, dayUsd: 100 },
  limits: {
    parallel: 3,
    coding: 5,
    total: 10,
    attempts: 3,
    handOffs: 10,
    errorDelayMs: 30_000,
    errorDelayMsMax: 300_000,
    limitDelayMs: 15_000,
    limitDelayMsMax: 3_600_000,
  },
  gates: null,
  workspace: { setup: [], hooks: { afterCreate: null, beforeRun: null, afterRun: null, beforeRemove: null } },
  landing: { mode: 'merge' },
  sandbox: PLAIN_SANDBOX,
  judge: null,
  prices: {},
  prompts: {},
  uiTests: false,
  breakpoints: [],
  workflows: SHIPPED,
}

// The main keys, as they are promised to everybody.
const CONTRACT = `target: main
agent: { driver: claude, model: opus, access: workspace, env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:8080" } }
roles: { reviewer: { driver: codex } }
context: { warn: 0.70, hand_off: 0.80, critical: 0.95, cap: 250000, policy: hand-off }
turns: { preset: default, min: 15, max: 150, retries: 1, multiplier: 2 }
time: { response: 7200, task: 21600, setup: 900, hook: 60, silence: 600 }
budget: { task_usd: 5, run_usd: 50, day_usd: 100 }
limits: { parallel: 3, coding: 5, total: 10, attempts: 3, hand_offs: 10 }
gates: [ { name: tests, run: npm test, on_fail: block, timeout: 600, protect: [ "test/**" ] } ]
workspace: { setup: [ npm ci ], hooks: { before_run: make ready } }
landing: { mode: merge }
judge: { driver: ollama, model: qwen2.5-coder, url: "http://127.0.0.1:11434" }
`

describe('settings', () => {
  test.each([null, '', '# nothing\n', '{}', 'agent:\n  # driver: codex\ngates:\n'])(
    'of %j are the defaults',
    (text) => {
      expect(load(text)).toEqual(DEFAULTS)
    },
  )

  test('have every key of the contract', () => {
    expect(load(CONTRACT)).toEqual({
      ...DEFAULTS,
      target: 'main',
      agent: { ...DEFAULTS.agent, model: 'opus', env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:8080' } },
      roles: { reviewer: { driver: 'codex' } },
      gates: [
        {
          name: 'tests',
          run: 'npm test',
          onFail: 'block',
          timeoutMs: 600_000,
          protect: ['test/**'],
          coverage: null,
          canary: { when: 'changed', plant: null },
        },
      ],
      workspace: { setup: ['npm ci'], hooks: { ...DEFAULTS.workspace.hooks, beforeRun: 'make ready' } },
      judge: {
        driver: 'ollama',
        model: 'qwen2.5-coder',
        url: 'http://127.0.0.1:11434',
        key: null,
        timeoutMs: 30_000,
        opinions: false,
        quality: 0.7,
      },
    })
  })

  test('distinguish an empty list of gates from none written', () => {
    expect(load('gates: []')).toEqual({ ...DEFAULTS, gates: [] })
    expect(load('gates: [ { name: t, run: "true" } ]')).toMatchObject({
      gates: [
        {
          name: 't',
          run: 'true',
          onFail: 'block',
          timeoutMs: 600_000,
          protect: [],
          coverage: null,
          canary: { when: 'changed', plant: null },
        },
      ],
    })
  })

  test('accept delays in fractions of seconds, down to none', () => {
    expect(load('limits: { error_delay: 0, error_delay_max: 0, limit_delay: 0.05, limit_delay_max: 0.2 }')).toEqual({
      ...DEFAULTS,
      limits: { ...DEFAULTS.limits, errorDelayMs: 0, errorDelayMsMax: 0, limitDelayMs: 50, limitDelayMsMax: 200 },
    })
  })

  test('accept null for no limit, prices by model, and a script', () => {
    const text = `budget: { task_usd: null, run_usd: null, day_usd: null }
prices: { big: { input: 1, output: 2, cache_read: 0, cache_write: 0.5 } }
agent: { driver: scripted, script: demo/script.yaml }`
    expect(load(text)).toEqual({
      ...DEFAULTS,
      sources: ['longhaul.yaml', 'demo/script.yaml'],
      budget: { taskUsd: null, runUsd: null, dayUsd: null },
      prices: { big: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0.5 } },
      agent: { ...DEFAULTS.agent, driver: 'scripted', script: 'demo/script.yaml' },
    })
  })

  test.each([
    ['{}', 3, 5, 10],
    ['{ parallel: 8 }', 8, 8, 10],
    ['{ parallel: 32 }', 32, 32, 32],
    ['{ coding: 2 }', 2, 2, 10],
    ['{ coding: 12 }', 3, 12, 12],
    ['{ total: 2 }', 2, 2, 2],
    ['{ parallel: 4, total: 4 }', 4, 4, 4],
    ['{ parallel: 1, coding: 1, total: 1 }', 1, 1, 1],
  ])('with limits %s have ceilings that fit', (limits, parallel, coding, total) => {
    expect(load(`limits: ${limits}`)).toMatchObject({ limits: { parallel, coding, total } })
  })

  test.each([
    ['{ preset: lean }', 3, 30],
    ['{ preset: lean, max: 5 }', 3, 5],
    ['{ max: 10 }', 10, 10],
    ['{ min: 200 }', 200, 200],
  ])('with turns %s have bounds that fit', (turns, min, max) => {
    expect(load(`turns: ${turns}`)).toMatchObject({ turns: { min, max } })
  })

  test('may switch hand-offs off', () => {
    expect(load('context: { hand_off: 1.1 }')).toMatchObject({ context: { handOff: 1.1, critical: 0.95 } })
  })
})

const RISING = 'Make warn the smallest and critical the largest; a hand_off above 1 switches hand-offs off.'
const TOP_KEYS =
  'preset, target, agent, roles, context, turns, time, budget, limits, gates, workspace, landing, sandbox, judge, prices, prompts, ui_tests, breakpoints, workflows'
const BUDGET = 'a number of dollars above 0, or null for no limit'

describe('invalid settings are reported:', () => {
  const cases: readonly (readonly [text: string, ...problems: string[]])[] = [
    [
      'just words',
      '1: settings must be a map of keys; got "just words". | Write keys and values, such as "target: main"; "longhaul init" writes an example.',
    ],
    [
      '- a',
      '1: settings must be a map of keys; got a list. | Write keys and values, such as "target: main"; "longhaul init" writes an example.',
    ],
    ['a: [', `1: not valid YAML: a "[" before this is not closed. | Add the "]".`],
    ['target: a\ntarget: b', `2: not valid YAML: Map keys must be unique. | Remove one of them.`],
    ['target: a\n---\ntarget: b', `2: not valid YAML: it has more than one document. | Remove the line "---".`],
    ['taget: main', '1: unknown key "taget". | Write "target" instead.'],
    ['colour:', `1: unknown key "colour". | Known keys: ${TOP_KEYS}.`],
    ['colour: red', `1: unknown key "colour". | Known keys: ${TOP_KEYS}.`],
    ['limits:\n  parallel: 2\n  paralel: 3', '3: unknown key "paralel" in limits. | Write "parallel" instead.'],
    [
      'gates:\n  - { name: a, run: b, protekt: [] }',
      '2: unknown key "protekt" in gates[0]. | Write "protect" instead.',
    ],
    ['roles:\n  reviwer: {}', '2: unknown key "reviwer" in roles. | Write "reviewer" instead.'],
    ['roles: { qa: { drivr: x } }', '1: unknown key "drivr" in roles.qa. | Write "driver" instead.'],
    [
      'prices: { big: { inptu: 1 } }',
      '1: prices.big.input is missing; it must be a number, 0 or more. | Add the key "input".',
      '1: prices.big.output is missing; it must be a number, 0 or more. | Add the key "output".',
      '1: prices.big.cache_read is missing; it must be a number, 0 or more. | Add the key "cache_read".',
      '1: prices.big.cache_write is missing; it must be a number, 0 or more. | Add the key "cache_write".',
      '1: unknown key "inptu" in prices.big. | Write "input" instead.',
    ],
    ['target: 1.0', '1: target must be text: the name of a branch; got 1. | Put it in quotes: "1".'],
    ['target: -f', '1: target must be text: the name of a branch; got "-f". | For example: target: main'],
    ['agent: claude', '1: agent must be a map of keys; got "claude". | '],
    [
      'agent:\n  access: all',
      '2: agent.access must be one of workspace, read-only, full; got "all". | For example: access: read-only',
    ],
    [
      'agent:\n  access: readonly',
      '2: agent.access must be one of workspace, read-only, full; got "readonly". | Write "read-only" instead.',
    ],
    ['agent:\n  env:\n    PORT: 80', '3: agent.env.PORT must be text; got 80. | Put it in quotes: "80".'],
    ['agent:\n  env:\n    A-B: x', '3: key "A-B" in agent.env must be the name of a variable. | Rename the key.'],
    [
      'agent:\n  driver: scripted',
      '2: agent.script is missing; it must be the path of a script, because agent.driver is scripted. | Add "script: FILE" to agent.',
    ],
    [
      'context: { warn: 0.9, hand_off: 0.8 }',
      `1: context.hand_off must be above context.warn (0.9); got 0.8. | ${RISING}`,
    ],
    [
      'context: { warn: 0.85 }',
      `1: context.hand_off must be above context.warn (0.85); its default is 0.8. | ${RISING}`,
    ],
    [
      'context:\n  hand_off: 0.97',
      `2: context.critical must be above context.hand_off (0.97); its default is 0.95. | ${RISING}`,
    ],
    [
      'context:\n  warn: 0.96\n  hand_off: 2',
      `2: context.critical must be above context.warn (0.96); its default is 0.95. | ${RISING}`,
    ],
    [
      'context: { critical: 1.5 }',
      '1: context.critical must be a share above 0, at most 1; got 1.5. | For example: critical: 0.9',
    ],
    [
      'turns: { preset: lean, min: 2 }',
      '1: turns.min must be at least 3 for lean; got 2. | Without min and max, lean goes from 3 to 30.',
    ],
    [
      'turns: { min: 50, max: 20 }',
      '1: turns.max must be at least turns.min (50); got 20. | Without min and max, default goes from 15 to 150.',
    ],
    [
      'time: { response: 59 }',
      '1: time.response must be a number of seconds from 60 to 2000000; got 59. | For example: response: 3600',
    ],
    [
      'time: { task: 1h }',
      '1: time.task must be a number of seconds from 1 to 2000000; got "1h". | For example: task: 10800',
    ],
    ['budget: { run_usd: 0 }', `1: budget.run_usd must be ${BUDGET}; got 0. | For example: run_usd: 20`],
    [
      'limits: { parallel: 33 }',
      '1: limits.parallel must be a whole number from 1 to 32; got 33. | For example: parallel: 4',
    ],
    [
      'limits:\n  coding: 5\n  parallel: 8',
      '3: limits.parallel must be at most limits.coding (5); got 8. | Raise limits.coding to 8, or lower limits.parallel.',
    ],
    [
      'limits: { parallel: 8, total: 4 }',
      '1: limits.parallel must be at most limits.total (4); got 8. | Raise limits.total to 8, or lower limits.parallel.',
    ],
    ['limits: { coding: 8, total: 4 }', '1: limits.total must be at least limits.coding (8); got 4. | Raise it to 8.'],
    [
      'limits: { error_delay: 5, error_delay_max: 1 }',
      '1: limits.error_delay_max must be at least limits.error_delay (5); got 1. | Raise it, or lower limits.error_delay.',
    ],
    [
      'limits: { limit_delay: 5, limit_delay_max: 1 }',
      '1: limits.limit_delay_max must be at least limits.limit_delay (5); got 1. | Raise it, or lower limits.limit_delay.',
    ],
    ['gates: npm test', '1: gates must be a list of gates; got "npm test". | Write it as a list: ["npm test"].'],
    ['gates:\n  - name: a', '2: gates[0].run is missing; it must be text. | Add the key "run".'],
    [
      'gates:\n  - { name: a, run: x }\n  - { name: a, run: y }',
      '3: gates[1].name must be a name that no other gate has; got "a". | Rename it; receipts refer to gates by name.',
    ],
    [
      'gates: [ { name: a, run: x, on_fail: stop } ]',
      '1: gates[0].on_fail must be one of block, warn, skip; got "stop". | For example: on_fail: warn',
    ],
    [
      'landing: { mode: rebase }',
      '1: landing.mode must be one of merge, squash (rebase is not available yet); got "rebase". | For example: mode: squash',
    ],
    [
      'landing: { mode: fast }',
      '1: landing.mode must be one of merge, squash; got "fast". | For example: mode: squash',
    ],
    [
      'judge: { driver: agent, url: "http://127.0.0.1:1" }',
      '1: judge.url must be left out, because judge.driver is agent; got "http://127.0.0.1:1". | Remove judge.url: the agent itself is the judge.',
    ],
    [
      'judge: { driver: openai, url: "http://127.0.0.1:1" }',
      '1: judge.model is missing; it must be the name of a model, because judge.driver is openai. | Add "model: …" to judge.',
    ],
    [
      'judge: { driver: ollama, model: x, url: localhost }',
      '1: judge.url must be a URL that starts with http:// or https://; got "localhost". | For example: url: "http://127.0.0.1:11434"',
    ],
    [
      'landing: { mode: 1 }\ncontext: { warn: 0.9 }\nfoo: 1\n',
      '1: landing.mode must be one of merge, squash; got 1. | For example: mode: squash',
      `2: context.hand_off must be above context.warn (0.9); its default is 0.8. | ${RISING}`,
      `3: unknown key "foo". | Known keys: ${TOP_KEYS}.`,
    ],
  ]
  test.each(cases)('%j', (text, ...problems) => {
    const loaded = loadSettings({ file: 'longhaul.yaml', text })
    const reported = loaded.kind === 'wrong' ? loaded.problems.map(({ message, hint }) => `${message} | ${hint}`) : []
    expect(reported).toEqual(problems.map((problem) => `longhaul.yaml:${problem}`))
  })
})

function load(text: string | null) {
  const read = loadSettings({ file: text === null ? null : 'longhaul.yaml', text })
  return read.kind === 'loaded' ? read.settings : read
}
