/** Example and user of every key: a value other than its default, and the part of Longhaul that acts on it (null: none yet). */
export const KEY_GUIDE: Readonly<Record<string, KeyGuide>> = {
  preset: { example: 'safe', usedBy: 'the settings loader: it sets the defaults of other keys' },
  target: { example: 'main', usedBy: '`run`, `import` and `add`, when they open a run' },

  'agent.driver': { example: 'scripted', usedBy: 'each round: it chooses the program that is started' },
  'agent.model': { example: 'opus', usedBy: 'the claude driver, when it starts an agent' },
  'agent.access': { example: 'read-only', usedBy: 'the claude driver, whenever an agent wants to use a tool' },
  'agent.env': {
    example: { ANTHROPIC_API_KEY: '$ANTHROPIC_API_KEY' },
    usedBy: 'each driver: these variables are added when an agent starts',
  },
  'agent.script': { example: 'script.yaml', usedBy: 'the scripted driver' },
  'agent.fallback_model': { example: 'sonnet', usedBy: 'the claude driver, when it starts an agent' },
  'agent.effort': { example: 'high', usedBy: 'the claude driver, when it starts an agent' },
  'agent.tools.allow': { example: ['Read', 'Edit', 'Bash'], usedBy: 'the claude driver, when it starts an agent' },
  'agent.tools.deny': { example: ['WebFetch'], usedBy: 'the claude driver, when it starts an agent' },
  'agent.mcp': {
    example: { docs: { command: 'docs-server', args: ['-v'] } },
    usedBy: 'the claude driver, when it starts an agent',
  },
  'agent.setting_sources': { example: ['project', 'local'], usedBy: 'the claude driver, when it starts an agent' },
  'agent.system_prompt': { example: 'Be brief.', usedBy: 'the claude driver, when it starts an agent' },
  'agent.subagents': { example: 0, usedBy: 'the claude driver, when it starts an agent' },

  'roles.planner': { example: { model: 'opus' }, usedBy: 'workflow phases with this role' },
  'roles.coder': { example: { model: 'sonnet' }, usedBy: 'workflow phases with this role' },
  'roles.tester': { example: { model: 'haiku' }, usedBy: 'workflow phases with this role' },
  'roles.reviewer': { example: { driver: 'codex', access: 'read-only' }, usedBy: 'workflow phases with this role' },
  'roles.qa': { example: { model: 'sonnet' }, usedBy: 'workflow phases with this role' },
  'roles.resolver': { example: { model: 'opus' }, usedBy: 'workflow phases with this role' },
  'roles.fixer': { example: { model: 'sonnet' }, usedBy: 'workflow phases with this role' },

  'context.warn': { example: 0.6, usedBy: 'the hand-off logic, after each model call' },
  'context.hand_off': { example: 0.75, usedBy: 'the hand-off logic, after each model call' },
  'context.critical': { example: 0.9, usedBy: 'the hand-off logic, after each model call' },
  'context.cap': { example: 150_000, usedBy: 'the hand-off logic, after each model call' },
  'context.policy': { example: 'compact', usedBy: 'the hand-off logic, after each model call' },

  'turns.preset': { example: 'lean', usedBy: 'each new attempt: it sets the turn limit of its rounds' },
  'turns.min': { example: 20, usedBy: 'each new attempt: it sets the turn limit of its rounds' },
  'turns.max': { example: 100, usedBy: 'each new attempt: it sets the turn limit of its rounds' },
  'turns.retries': { example: 2, usedBy: 'rounds that run out of turns' },
  'turns.multiplier': { example: 1.5, usedBy: 'rounds that run out of turns' },

  'time.response': { example: 3600, usedBy: 'each round' },
  'time.task': { example: 10_800, usedBy: 'each task, over all its attempts' },
  'time.setup': { example: 300, usedBy: 'workspace setup' },
  'time.hook': { example: 30, usedBy: 'workspace hooks' },
  'time.silence': { example: 300, usedBy: 'the watch over running rounds' },

  'budget.task_usd': { example: 2, usedBy: 'the scheduler, before an attempt starts, and each round while it runs' },
  'budget.run_usd': { example: 20, usedBy: 'the scheduler, before an attempt starts, and each round while it runs' },
  'budget.day_usd': { example: null, usedBy: 'the scheduler, before an attempt starts, and each round while it runs' },

  'limits.parallel': { example: 4, usedBy: 'the scheduler, when it starts or resumes an attempt' },
  'limits.coding': { example: 6, usedBy: 'the scheduler, when it starts or resumes an attempt' },
  'limits.total': { example: 12, usedBy: 'the scheduler, when it starts or resumes an attempt' },
  'limits.attempts': { example: 2, usedBy: 'the scheduler, after an attempt has failed' },
  'limits.hand_offs': { example: 5, usedBy: 'each attempt, when a session is full' },
  'limits.error_delay': { example: 10, usedBy: 'each attempt, after an error of its agent' },
  'limits.error_delay_max': { example: 120, usedBy: 'each attempt, after an error of its agent' },
  'limits.limit_delay': { example: 60, usedBy: 'each attempt, at a usage limit' },
  'limits.limit_delay_max': { example: 1800, usedBy: 'each attempt, at a usage limit' },

  gates: {
    example: [{ name: 'tests', run: 'npm test', protect: ['test/**'] }],
    usedBy: 'the checks of attempts and landings',
  },
  'gates[].name': { example: 'tests', usedBy: 'the check: findings and receipts carry this name' },
  'gates[].run': { example: 'npm test', usedBy: 'the check' },
  'gates[].on_fail': { example: 'warn', usedBy: 'the check, when its command fails' },
  'gates[].timeout': { example: 1200, usedBy: 'the check' },
  'gates[].protect': { example: ['test/**'], usedBy: 'checks: changed or removed lines need your approval' },
  'gates[].canary': { example: 'always', usedBy: 'landing: a planted failure must turn the check red' },
  'gates[].coverage': { example: 0.8, usedBy: 'the check: it compares the coverage that the command prints' },

  'workspace.setup': { example: ['npm ci'], usedBy: 'new workspaces, and the checkouts that landings are checked in' },
  'workspace.hooks.after_create': { example: 'make ready', usedBy: 'new workspaces' },
  'workspace.hooks.before_run': { example: 'make fresh', usedBy: 'each round' },
  'workspace.hooks.after_run': { example: 'make tidy', usedBy: 'each round' },
  'workspace.hooks.before_remove': { example: 'make stop', usedBy: 'workspaces of landed work' },

  'landing.mode': { example: 'squash', usedBy: 'landing, when it prepares a candidate' },

  'sandbox.level': { example: 'strict', usedBy: 'everything that is started in a workspace or a checkout' },
  'sandbox.required': { example: true, usedBy: '`run`, before it starts anything' },
  'sandbox.read': { example: ['~/.config/my-tool'], usedBy: 'everything that is started in a sandbox' },
  'sandbox.write': { example: ['/var/cache/my-tool'], usedBy: 'everything that is started in a sandbox' },
  'sandbox.sockets': { example: ['/run/postgresql/.s.PGSQL.5432'], usedBy: 'everything that is started in a sandbox' },
  'sandbox.hosts': { example: ['*.example.org'], usedBy: "the sandbox's proxy" },
  'sandbox.loopback': { example: [5432], usedBy: 'the network of each sandbox' },
  'sandbox.web': { example: 'on', usedBy: "the sandbox's proxy" },

  'judge.driver': { example: 'ollama', usedBy: 'opinions and milestone summaries' },
  'judge.model': { example: 'qwen2.5-coder', usedBy: 'the judge' },
  'judge.url': { example: 'http://127.0.0.1:11434', usedBy: 'the judge' },
  'judge.key': { example: '$JUDGE_KEY', usedBy: 'the judge' },
  'judge.timeout': { example: 60, usedBy: 'opinions and milestone summaries' },
  'judge.opinions': { example: true, usedBy: 'attempts whose checks have passed' },
  'judge.quality': { example: 0.8, usedBy: 'attempts whose checks have passed' },

  prices: {
    example: { 'my-model': { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 } },
    usedBy: 'cost accounting, after each model call',
  },

  prompts: {
    example: { implement: 'prompts/implement.md' },
    usedBy: 'each round: your text replaces the built-in prompt',
  },
  ui_tests: { example: true, usedBy: 'the prompts of each round' },

  breakpoints: { example: [{ before: 'landing' }], usedBy: 'each new attempt' },
  'breakpoints[].before': { example: 'review', usedBy: 'each new attempt' },
  'breakpoints[].tasks': { example: ['db-*'], usedBy: 'each new attempt' },
  'breakpoints[].weights': { example: ['large'], usedBy: 'each new attempt' },
  'breakpoints[].milestones': { example: ['m1'], usedBy: 'each new attempt' },

  workflows: {
    example: { trivial: { rounds: 3, phases: [{ name: 'implement' }, { name: 'verify', by: 'script' }] } },
    usedBy: 'each new attempt',
  },
}

interface KeyGuide {
  readonly example: unknown
  readonly usedBy: string | null
}
