import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join, resolve } from 'node:path'
import { Option } from 'commander'
import type { Environment } from '../../../config/environment.ts'
import { isProblem, unwrap } from '../../../core/model/problem.ts'
import type { DemoAgent } from '../demo/demo-agent.ts'
import type { ExitCode } from '../exit-codes.ts'
import { refuse } from '../refusal.ts'
import { textOption, type Verb, type VerbContext } from '../verb.ts'
import type { World } from '../world.ts'
import { importVerb } from './import.ts'
import { runVerb } from './run.ts'

/** `longhaul demo`: shows a whole run on a sample project, without any model. */
export const demoVerb: Verb = {
  about:
    'Builds a small sample project in a folder of its own and works off ten tasks, three at once: one comes back red and is mended, one meets a usage limit and goes on, one fills its context window and is handed over. The agent is the real Claude Code, where it is installed, and a lab on this machine answers in place of its model. Takes about a minute and spends nothing.',
  examples: ['longhaul demo', 'longhaul demo --agent scripted --dir /tmp/longhaul-demo'],
  shape: (command) =>
    void command
      .option('--dir <folder>', 'where to build it; by default in the state folder, replaced at each start')
      .addOption(new Option('--agent <driver>', 'who works').choices(['claude', 'scripted']))
      .option('--json', 'print events as JSON lines, and the status at last'),
  async run(context, given) {
    const folder = resolve(context.world.folder, textOption(given, 'dir') ?? (await usualFolder(context.world)))
    await makeRoom(context.world, folder)
    const world = await demoWorld(context.world, folder)
    await buildProject(world)
    const agent = await chooseAgent({ ...context, world }, textOption(given, 'agent'))
    const { output } = context
    try {
      await addFiles(world, agent.files, 'Settings and tasks of Longhaul')
      output.line(`A sample project is in ${world.folder}. ${agent.told}`)
      await importVerb.run({ ...context, world }, { args: ['tasks.yaml'], options: {} })
      const exitCode = await runVerb.run({ ...context, world }, { args: [], options: { wait: true } })
      tellMore(context, world.folder, exitCode)
      return exitCode
    } finally {
      await agent.close()
    }
  },
}

/** Claude Code, unless the scripted agent is asked for or has to stand in. */
async function chooseAgent({ world, output }: VerbContext, wanted: string | null): Promise<DemoAgent> {
  const { claudeAgent, scriptedAgent } = await import('../demo/demo-agent.ts')
  if (wanted === 'scripted') return scriptedAgent()
  const claude = await claudeAgent(world)
  if (!isProblem(claude)) return claude
  if (wanted === 'claude') unwrap(claude)
  output.remark(`${claude.message} So a scripted agent stands in.`)
  return scriptedAgent()
}

const MARK = '.longhaul-demo'

async function usualFolder({ environment }: World): Promise<string> {
  const { stateHome } = await import('../../../config/places.ts')
  return join(unwrap(stateHome(environment)), 'demo')
}

/** Removes the demo of last time, and nothing else. */
async function makeRoom(world: World, folder: string): Promise<void> {
  if (existsSync(join(folder, MARK))) {
    await refuseWhileRunning(world, join(folder, 'durations'))
    await rm(folder, { recursive: true, force: true })
  }
  const inside = await readdir(folder).catch(() => [])
  if (inside.length > 0) refuse('demo-folder-used', `${folder} is not empty.`, 'Choose another folder with --dir.')
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, MARK), 'Made by "longhaul demo", and replaced by the next one.\n')
  } catch (cause) {
    refuse('demo-folder-unwritable', `${folder} cannot be made: ${String(cause)}`, 'Choose another folder with --dir.')
  }
}

async function refuseWhileRunning({ adapters, environment }: World, project: string): Promise<void> {
  const place = existsSync(project) ? await (await adapters()).find(project, environment) : null
  if (place === null || isProblem(place) || !place.hasState()) return
  const state = unwrap(await place.openState())
  const holder = await state.leases.holder()
  await state.store.close()
  if (holder !== null) {
    refuse('demo-running', `A demo is running there (process ${holder.pid}).`, 'Wait for it, or use --dir.')
  }
}

/** The same world, standing in the sample project, where agents and checks get a home of their own. */
async function demoWorld(world: World, folder: string): Promise<World> {
  const privateHome = join(folder, 'home')
  const project = join(folder, 'durations')
  for (const made of [privateHome, project]) await mkdir(made, { recursive: true })
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

function tellMore({ output }: VerbContext, project: string, exitCode: ExitCode): void {
  if (exitCode !== 0) return
  output.line('')
  output.line('What you have seen:')
  output.line('  - every task was worked on in a private clone; your own repositories were not touched;')
  output.line('  - "parse" said it was done and was not: our check found it, and the second round mended it;')
  output.line('  - "format" met a usage limit, was parked and went on, and it cost no attempt;')
  output.line('  - "strict" filled its context window: a fresh session went on from the note of the first;')
  output.line('  - each commit on main was checked in a clean checkout of exactly that commit before it landed;')
  output.line('  - the money shown is what such tokens would cost with a model: here, none was called.')
  output.line('Look around:')
  output.line(`  cd ${project}`)
  output.line('  git log --graph --oneline        longhaul log --task parse        longhaul revert changelog')
  output.line('Then, in your own repository: longhaul init')
}
