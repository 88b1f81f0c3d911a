/** Of every key: a value other than its default, and the file that acts on it (null: nothing does yet). */
export const KEY_GUIDE: Readonly<Record<string, KeyGuide>> = {
  preset: { example: 'safe', readIn: 'config/presets.ts' },
  target: { example: 'main', readIn: 'surfaces/cli/repository/target.ts' },

  'agent.driver': { example: 'scripted', readIn: 'engine/perform-round.ts' },
  'agent.model': { example: 'opus', readIn: 'adapters/drivers/claude/query-options.ts' },
  'agent.access': { example: 'read-only', readIn: 'adapters/drivers/claude/access.ts' },
  'agent.env': { example: { ANTHROPIC_API_KEY: '$ANTHROPIC_API_KEY' }, readIn: 'adapters/drivers/scripted/driver.ts' },
  'agent.script': { example: 'script.yaml', readIn: 'adapters/drivers/scripted/driver.ts' },
  'agent.fallback_model': { example: 'sonnet', readIn: 'adapters/drivers/claude/query-options.ts' },
  'agent.effort': { example: 'high', readIn: 'adapters/drivers/claude/query-options.ts' },
  'agent.tools.allow': { example: ['Read', 'Edit', 'Bash'], readIn: 'adapters/drivers/claude/query-options.ts' },
  'agent.tools.deny': { example: ['WebFetch'], readIn: 'adapters/drivers/claude/query-options.ts' },
  'agent.mcp': {
    example: { docs: { command: 'docs-server', args: ['-v'] } },
    readIn: 'adapters/drivers/claude/query-options.ts',
  },
  'agent.setting_sources': { example: ['project'], readIn: 'adapters/drivers/claude/query-options.ts' },
  'agent.system_prompt': { example: 'Be brief.', readIn: 'adapters/drivers/claude/query-options.ts' },
  'agent.subagents': { example: 0, readIn: 'adapters/drivers/claude/agent-environment.ts' },

  'roles.planner': { example: { model: 'opus' }, readIn: 'core/phases/workflows.ts' },
  'roles.coder': { example: { model: 'sonnet' }, readIn: 'core/phases/workflows.ts' },
  'roles.tester': { example: { model: 'haiku' }, readIn: 'core/phases/workflows.ts' },
  'roles.reviewer': { example: { driver: 'codex', access: 'read-only' }, readIn: 'core/phases/workflows.ts' },
  'roles.qa': { example: { model: 'sonnet' }, readIn: 'core/phases/workflows.ts' },
  'roles.resolver': { example: { model: 'opus' }, readIn: 'core/phases/workflows.ts' },
  'roles.fixer': { example: { model: 'sonnet' }, readIn: 'core/phases/workflows.ts' },

  'context.warn': { example: 0.6, readIn: 'core/context/pressure.ts' },
  'context.hand_off': { example: 0.75, readIn: 'core/context/pressure.ts' },
  'context.critical': { example: 0.9, readIn: 'core/context/pressure.ts' },
  'context.cap': { example: 150_000, readIn: 'core/context/occupancy.ts' },
  'context.policy': { example: 'compact', readIn: 'core/context/pressure.ts' },

  'turns.preset': { example: 'lean', readIn: 'core/limits/turns.ts' },
  'turns.min': { example: 20, readIn: 'core/limits/turns.ts' },
  'turns.max': { example: 100, readIn: 'core/limits/turns.ts' },
  'turns.retries': { example: 2, readIn: 'core/run/attempt-spec.ts' },
  'turns.multiplier': { example: 1.5, readIn: 'core/run/attempt-spec.ts' },

  'time.response': { example: 3600, readIn: 'core/run/attempt-limits.ts' },
  'time.task': { example: 10_800, readIn: 'core/run/attempt-limits.ts' },
  'time.setup': { example: 300, readIn: 'core/run/attempt-spec.ts' },
  'time.hook': { example: 30, readIn: 'core/run/attempt-spec.ts' },
  'time.silence': { example: 300, readIn: 'core/run/attempt-spec.ts' },

  'budget.task_usd': { example: 2, readIn: 'core/run/allowance.ts' },
  'budget.run_usd': { example: 20, readIn: 'core/run/allowance.ts' },
  'budget.day_usd': { example: null, readIn: 'core/run/allowance.ts' },

  'limits.parallel': { example: 4, readIn: 'core/run/settle.ts' },
  'limits.coding': { example: 6, readIn: 'core/run/settle.ts' },
  'limits.total': { example: 12, readIn: 'core/run/settle.ts' },
  'limits.attempts': { example: 2, readIn: 'core/run/decide-attempt-said.ts' },
  'limits.hand_offs': { example: 5, readIn: 'core/run/attempt-spec.ts' },
  'limits.error_delay': { example: 10, readIn: 'core/run/attempt-spec.ts' },
  'limits.error_delay_max': { example: 120, readIn: 'core/run/attempt-spec.ts' },
  'limits.limit_delay': { example: 60, readIn: 'core/run/attempt-spec.ts' },
  'limits.limit_delay_max': { example: 1800, readIn: 'core/run/attempt-spec.ts' },

  gates: { example: [{ name: 'tests', run: 'npm test', protect: ['test/**'] }], readIn: 'core/run/attempt-spec.ts' },
  'gates[].name': { example: 'tests', readIn: 'adapters/gates/command.ts' },
  'gates[].run': { example: 'npm test', readIn: 'adapters/gates/command.ts' },
  'gates[].on_fail': { example: 'warn', readIn: 'adapters/gates/command.ts' },
  'gates[].timeout': { example: 1200, readIn: 'adapters/gates/command.ts' },
  'gates[].protect': { example: ['test/**'], readIn: 'adapters/workspaces/checkpoint-workspace.ts' },
  'gates[].coverage': { example: 0.8, readIn: 'core/checks/check-findings.ts' },

  'workspace.setup': { example: ['npm ci'], readIn: 'adapters/workspaces/ensure-workspace.ts' },
  'workspace.hooks.after_create': { example: 'make ready', readIn: 'adapters/workspaces/ensure-workspace.ts' },
  'workspace.hooks.before_run': { example: 'make fresh', readIn: 'engine/perform-round.ts' },
  'workspace.hooks.after_run': { example: 'make tidy', readIn: 'engine/perform-round.ts' },
  'workspace.hooks.before_remove': { example: 'make stop', readIn: 'adapters/workspaces/release-workspace.ts' },

  'landing.mode': { example: 'squash', readIn: 'core/run/effects-due.ts' },

  'judge.driver': { example: 'ollama', readIn: 'engine/ask-judge.ts' },
  'judge.model': { example: 'qwen2.5-coder', readIn: 'adapters/judges/ollama.ts' },
  'judge.url': { example: 'http://127.0.0.1:11434', readIn: 'adapters/judges/post-json.ts' },
  'judge.key': { example: '$JUDGE_KEY', readIn: 'adapters/judges/headers-for.ts' },
  'judge.timeout': { example: 60, readIn: 'engine/ask-judge.ts' },
  'judge.opinions': { example: true, readIn: 'core/attempt/opinion.ts' },
  'judge.quality': { example: 0.8, readIn: 'core/attempt/opinion.ts' },

  prices: {
    example: { 'my-model': { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 } },
    readIn: 'core/attempt/when-used.ts',
  },

  prompts: { example: { implement: 'prompts/implement.md' }, readIn: 'core/prompts/prompts.ts' },
  ui_tests: { example: true, readIn: 'core/prompts/prompts.ts' },

  breakpoints: { example: [{ before: 'landing' }], readIn: 'core/run/attempt-spec.ts' },
  'breakpoints[].before': { example: 'review', readIn: 'core/run/attempt-spec.ts' },
  'breakpoints[].tasks': { example: ['db-*'], readIn: 'core/run/attempt-spec.ts' },
  'breakpoints[].weights': { example: ['large'], readIn: 'core/run/attempt-spec.ts' },
  'breakpoints[].milestones': { example: ['m1'], readIn: 'core/run/attempt-spec.ts' },

  workflows: {
    example: { trivial: { rounds: 3, phases: [{ name: 'implement' }, { name: 'verify', by: 'script' }] } },
    readIn: 'core/run/attempt-spec.ts',
  },
}

interface KeyGuide {
  readonly example: unknown
  readonly readIn: string | null
}
