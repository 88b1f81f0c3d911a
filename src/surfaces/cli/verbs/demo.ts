import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join, resolve } from 'node:path'
import { Option } from 'commander'
import type { Environment } from '../../../config/environment.ts'
import { isProblem, unwrap } from '../../../core/model/problem.ts'
import type { DemoAgent } from '../demo/demo-agent.ts'
import { refuse } from '../refusal.ts'
import { textOption, type Verb, type VerbContext } from '../verb.ts'
import type { World } from '../world.ts'
import { importVerb } from './import.ts'
import { runVerb } from './run.ts'

/** `longhaul demo`: shows a whole run on a sample project, without a model. */
export const demoVerb: Verb = {
  about:
    'Creates a small sample project in a separate folder and works through ten tasks, three at a time: one fails its checks and is fixed, one hits a usage limit and resumes, one fills its context window and is handed off. The agent is the real Claude Code if it is installed, with a lab on this machine answering in place of its model. Takes about a minute and spends nothing.',
  examples: ['longhaul demo', 'longhaul demo --agent scripted --dir /tmp/longhaul-demo'],
  shape: (command) =>
    void command
      .option('--dir <folder>', 'where to create it; by default in the state folder, replaced each time')
      .addOption(new Option('--agent <driver>', 'which agent works').choices(['claude', 'scripted']))
      .option('--json', 'print events as JSON lines, then the status'),
  async run(context, typed) {
    const folder = resolve(context.world.folder, textOption(typed, 'dir') ?? (await usualFolder(context.world)))
    await makeRoom(context.world, folder)
    const world = await demoWorld(context.world, folder)
    await buildProject(world)
    const agent = await chooseAgent({ ...context, world }, textOption(typed, 'agent'))
    const { output } = context
    try {
      await addFiles(world, agent.files, 'Add Longhaul settings and tasks')
      output.line(`The sample project is in ${world.folder}. ${agent.about}`)
      await importVerb.run({ ...context, world }, { args: ['tasks.yaml'], options: {} })
      const exitCode = await runVerb.run({ ...context, world }, { args: [], options: { wait: true } })
      if (exitCode === 0) printWhatHappened(context, world.folder)
      return exitCode
    } finally {
      await agent.close()
    }
  },
}

/** Chooses Claude Code, unless the scripted agent is requested or Claude Code cannot be used. */
async function chooseAgent({ world, output }: VerbContext, wanted: string | null): Promise<DemoAgent> {
  const { claudeAgent, scriptedAgent } = await import('../demo/demo-agent.ts')
  if (wanted === 'scripted') return scriptedAgent()
  const claude = await claudeAgent(world)
  if (!isProblem(claude)) return claude
  if (wanted === 'claude') unwrap(claude)
  output.remark(`${claude.message} Using the scripted agent instead.`)
  return scriptedAgent()
}

const MARK = '.longhaul-demo'

async function usualFolder({ environment }: World): Promise<string> {
  const { stateHome } = await import('../../../config/places.ts')
  return join(unwrap(stateHome(environment)), 'demo')
}

/** Removes the previous demo, and nothing else. */
async function makeRoom(world: World, folder: string): Promise<void> {
  if (existsSync(join(folder, MARK))) {
    await refuseWhileRunning(world, join(folder, 'durations'))
    await rm(folder, { recursive: true, force: true })
  }
  const inside = await readdir(folder).catch(() => [])
  if (inside.length > 0) refuse('demo-folder-used', `${folder} is not empty.`, 'Choose another folder with --dir.')
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, MARK), 'Created by "longhaul demo", which replaces it the next time.\n')
  } catch (cause) {
    refuse(
      'demo-folder-unwritable',
      `${folder} cannot be created: ${String(cause)}`,
      'Choose another folder with --dir.',
    )
  }
}

async function refuseWhileRunning({ adapters, environment }: World, project: string): Promise<void> {
  const repository = existsSync(project) ? await (await adapters()).find(project, environment) : null
  if (repository === null || isProblem(repository) || !repository.hasState()) return
  const state = unwrap(await repository.openState())
  const holder = await state.leases.holder()
  await state.store.close()
  if (holder !== null) {
    refuse(
      'demo-running',
      `A demo is already running there (pid ${holder.pid}).`,
      'Wait for it to end, or choose another folder with --dir.',
    )
  }
}

/** Moves the world into the sample project, with a separate home for agents and checks. */
async function demoWorld(world: World, folder: string): Promise<World> {
  const privateHome = join(folder, 'home')
  const project = join(folder, 'durations')
  for (const created of [privateHome, project]) await mkdir(created, { recursive: true })
  const kept = Object.entries(world.environment).filter(([name]) => !/^(XDG_|GIT_|ANTHROPIC_|CLAUDE_)/.test(name))
  const environment: Environment = {
    ...Object.fromEntries(kept),
    HOME: privateHome,
    GIT_CONFIG_NOSYSTEM: '1',
    LONGHAUL_STATE_HOME: join(folder, 'state'),
    PATH: [dirname(process.execPath), world.environment.PATH ?? ''].join(delimiter),
  }
  return { ...world, folder: project, environment }
}

async function buildProject(world: World): Promise<void> {
  const { stringify } = await import('yaml')
  const { PROJECT } = await import('../demo/project.ts')
  const { TASKS } = await import('../demo/tasks.ts')
  const { git } = await world.adapters()
  for (const args of GIT_COMMANDS) unwrap(await git(world.folder, args, world.environment))
  await addFiles(world, { ...PROJECT, 'tasks.yaml': stringify(TASKS) }, 'A sample project')
}

async function addFiles(
  { folder, environment, adapters }: World,
  files: Readonly<Record<string, string>>,
  message: string,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const { git } = await adapters()
  unwrap(await git(folder, ['add', '--all'], environment))
  unwrap(await git(folder, ['commit', '--quiet', `--message=${message}`], environment))
}

const GIT_COMMANDS: readonly (readonly string[])[] = [
  ['init', '--quiet', '--initial-branch=main'],
  ['config', 'user.name', 'Longhaul demo'],
  ['config', 'user.email', 'demo@longhaul.invalid'],
  ['config', 'commit.gpgsign', 'false'],
]

function printWhatHappened({ output }: VerbContext, project: string): void {
  output.line('')
  output.line('What happened:')
  output.line('  - every task was worked on in a private clone; your repositories were not touched;')
  output.line('  - "parse" claimed to be done but was not: a check caught it, and the second round fixed it;')
  output.line('  - "format" hit a usage limit, was parked and resumed, without using up an attempt;')
  output.line('  - "strict" filled its context window: a fresh session continued from the hand-off note of the first;')
  output.line('  - each commit on main was checked in a clean checkout of that commit before it landed;')
  output.line('  - the cost shown is what the tokens would cost with a real model; none was called.')
  output.line('Explore it:')
  output.line(`  cd ${project}`)
  output.line('  git log --graph --oneline        longhaul log --task parse        longhaul revert changelog')
  output.line('Then, in your own repository: longhaul init')
}
