import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { agentFile } from '../src/adapters/drivers/scripted/agent-file.ts'
import type { AgentOrder } from '../src/adapters/drivers/scripted/protocol.ts'
import type { Project } from './project.ts'
import { GATE, PARALLEL, type TrivialTask } from './trivial-tasks.ts'

const execute = promisify(execFile)

// As the engine's git: writes are on disk when git exits, and no background work of git starts.
const SETTINGS = ['core.fsync=all', 'core.fsyncMethod=fsync', 'gc.auto=0', 'maintenance.auto=false']

/** Wraps the work on each task, to see when it begins and which processes it starts. */
export type Around = (task: string, work: () => Promise<void>) => Promise<void>

/** Runs an agent on a task in a folder. */
export type PlayAgent = (project: Project, workspace: string, task: TrivialTask) => Promise<void>

/** Runs tasks with an engine's git, agent and check commands and nothing else: no ledger, no recovery. */
export async function bareLoop(
  project: Project,
  tasks: readonly TrivialTask[],
  around: Around = (_, work) => work(),
  { play = playAgent, parallel = PARALLEL }: { readonly play?: PlayAgent; readonly parallel?: number } = {},
): Promise<void> {
  const place = join(project.folder, 'bare')
  mkdirSync(place)
  const landing = new LandingLine(project, place)
  await landing.open()
  const waiting = [...tasks]
  const work = async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      const next = task
      await around(next.id, () => doTask(project, join(place, next.id), next, landing, play))
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
}

async function doTask(
  project: Project,
  workspace: string,
  task: TrivialTask,
  landing: LandingLine,
  play: PlayAgent,
): Promise<void> {
  const git = gitFor(project)
  const branch = `longhaul/${task.id}`
  await git(project.repository, 'clone', '--quiet', '--shared', '--no-checkout', '.', workspace)
  await git(workspace, 'checkout', '--quiet', '-B', branch, landing.commit)
  await play(project, workspace, task)
  await git(workspace, 'add', '--all')
  const tree = await git(workspace, 'write-tree')
  const commit = await git(workspace, 'commit-tree', tree, '-p', 'HEAD', '-m', `${task.id}: Write ${task.path}`)
  await git(workspace, 'update-ref', 'HEAD', commit)
  await git(project.repository, 'fetch', '--quiet', '--no-tags', workspace, `+HEAD:refs/heads/${branch}`)
  await landing.land(task.id, commit)
  await rm(workspace, { recursive: true })
  await git(project.repository, 'update-ref', '-d', `refs/heads/${branch}`)
}

/** Runs the scripted agent, which writes a task's file. */
export async function playAgent(
  { env }: Project,
  workspace: string,
  { id, path, text, ms }: TrivialTask,
): Promise<void> {
  const order: AgentOrder = {
    task: id,
    title: `Write ${path}`,
    attempt: 1,
    phase: 'implement',
    phaseRound: 1,
    round: 1,
    session: id,
    model: 'scripted',
    access: 'workspace',
    prompt: `Write ${path}`,
    steps: [
      { kind: 'write', path, text },
      { kind: 'wait', ms },
      { kind: 'report', claim: 'done', reason: '' },
    ],
  }
  const running = execute(process.execPath, [agentFile()], { cwd: workspace, env })
  running.child.stdin?.end(`${JSON.stringify(order)}\n`)
  await running
}

/** Lands commits one at a time, each checked in a clean checkout. */
class LandingLine {
  commit = ''
  readonly #project: Project
  readonly #place: string
  readonly #git: Git
  #last: Promise<void> = Promise.resolve()

  constructor(project: Project, place: string) {
    this.#project = project
    this.#place = place
    this.#git = gitFor(project)
  }

  async open(): Promise<void> {
    this.commit = await this.#git(this.#project.repository, 'rev-parse', 'HEAD')
    await this.#git(this.#project.repository, 'update-ref', LINE, this.commit)
  }

  land(task: string, commit: string): Promise<void> {
    this.#last = this.#last.then(() => this.#landNow(task, commit))
    return this.#last
  }

  async #landNow(task: string, commit: string): Promise<void> {
    const { repository, env } = this.#project
    const line = this.commit
    const checkout = join(this.#place, `check-${task}`)
    const tree = await this.#git(repository, 'merge-tree', '--write-tree', line, commit)
    const candidate = await this.#git(repository, 'commit-tree', tree, '-p', line, '-p', commit, '-m', task)
    await this.#git(repository, 'clone', '--quiet', '--shared', '--no-checkout', '.', checkout)
    await this.#git(checkout, 'checkout', '--quiet', '--detach', candidate)
    await execute('/bin/sh', ['-c', GATE], { cwd: checkout, env })
    await rm(checkout, { recursive: true })
    await this.#git(repository, 'update-ref', LINE, candidate, line)
    await this.#git(repository, 'merge', '--quiet', '--ff-only', candidate)
    this.commit = candidate
  }
}

const LINE = 'refs/bare/line'

type Git = (folder: string, ...args: readonly string[]) => Promise<string>

/** Returns git with the loops' settings. */
export function gitFor({ env }: Project): Git {
  const settings = SETTINGS.flatMap((setting) => ['-c', setting])
  return async (cwd, ...args) => (await execute('git', [...settings, ...args], { cwd, env })).stdout.trim()
}
