import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { loadClaude } from '../src/adapters/drivers/claude/sdk.ts'
import { isProblem } from '../src/core/model/problem.ts'
import { type Lab, openLab } from '../src/lab/lab.ts'
import { parseScenario } from '../src/lab/parse-scenario.ts'
import { makeProject, type Project, timeCli } from './project.ts'
import { good } from './real-adapters.ts'
import { GATE, type TrivialTask } from './trivial-tasks.ts'

const execute = promisify(execFile)

/** Project whose agent is the real Claude Code, with a lab as its model. */
export interface ClaudeProject {
  readonly project: Project
  readonly lab: Lab
  close(): Promise<void>
}

/** A task with the lab's steps for it. */
export interface LabTask {
  readonly id: string
  readonly steps: readonly object[]
}

/** Options of a project. */
export interface Wishes {
  /** Rules before those of the tasks. */
  readonly rules?: readonly object[]
  readonly parallel?: number
  /** Additional lines of settings. */
  readonly more?: readonly string[]
  readonly weight?: 'trivial' | 'large'
  /** Additional variables of the agent. */
  readonly env?: Readonly<Record<string, string>>
}

/** Makes a project and imports its tasks. */
export async function claudeProject(
  tasks: readonly LabTask[],
  { rules = [], more = [], parallel = 3, weight = 'trivial', env: own = {} }: Wishes,
): Promise<ClaudeProject> {
  const scenario = parseScenario('bench', JSON.stringify({ rules: [...rules, ...tasks.map(ruleOf)] }))
  if (isProblem(scenario)) throw new Error(scenario.message)
  const lab = good(await openLab({ scenario, now: () => Date.now(), requestsMax: REQUESTS_MAX }))
  const env = JSON.stringify({ ANTHROPIC_BASE_URL: lab.url, ANTHROPIC_API_KEY: 'test-key', ...own })
  const settings = [
    `agent: { driver: claude, env: ${env} }`,
    `limits: { parallel: ${parallel}, hand_offs: 100 }`,
    'budget: { task_usd: null, run_usd: null, day_usd: null }',
    `gates: [ { name: first, run: ${GATE} } ]`,
    ...more,
  ]
  const project = makeProject({ 'first.txt': 'first\n', 'longhaul.yaml': `${settings.join('\n')}\n` })
  const file = join(project.folder, 'tasks.json')
  const backlog = tasks.map(({ id }) => ({ id, title: `Write ${id}.txt`, weight }))
  writeFileSync(file, JSON.stringify({ tasks: backlog }))
  await timeCli(project, ['import', file])
  return {
    project,
    lab,
    async close() {
      await lab.close()
      project.remove()
    },
  }
}

/** Runs `claude -p` on a task as a person would. */
export function byHand({ url }: Lab) {
  return async ({ env }: Project, cwd: string, { id, path }: Pick<TrivialTask, 'id' | 'path'>): Promise<void> => {
    const { program } = good(await loadClaude({}))
    const args = ['-p', `# ${id}: Write ${path}`, '--permission-mode', 'bypassPermissions']
    const running = execute(program, args, { cwd, env: { ...env, ...QUIET, ANTHROPIC_BASE_URL: url } })
    running.child.stdin?.end()
    await running
  }
}

const REQUESTS_MAX = 5_000
const QUIET = {
  ANTHROPIC_API_KEY: 'test-key',
  IS_SANDBOX: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
}

function ruleOf({ id, steps }: LabTask): object {
  return { task: id, steps }
}
