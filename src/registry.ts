import { join } from 'node:path'
import type { DriverOptions } from './adapters/drivers/driver-options.ts'
import { unknownDriver } from './adapters/drivers/unknown-driver.ts'
import type { AgentJudgeOptions } from './adapters/judges/agent.ts'
import type { HttpJudgeOptions } from './adapters/judges/http.ts'
import { openContainment } from './adapters/repository/examine-machine.ts'
import {
  localRepository,
  type OpenedAt,
  type RepositoryParts,
  transcriptsIn,
} from './adapters/repository/local-repository.ts'
import { definedIn, type Environment, resolveEnv } from './config/environment.ts'
import { stateHome } from './config/places.ts'
import { isProblem, type Problem } from './core/model/problem.ts'
import { JUDGE_PHASE } from './core/phases/judge-agent.ts'
import { gitAt } from './git/git.ts'
import { findRepository, openRepository } from './git/repository.ts'
import type { AgentDriver } from './ports/agent-driver.ts'
import type { Clock } from './ports/clock.ts'
import type { Judge } from './ports/judge.ts'
import type { Tools, ToolUse } from './ports/repository.ts'
import { endOrphanedNamespaces } from './process/end/end-orphaned-namespaces.ts'
import { Shells } from './process/shell/shells.ts'
import { buildEnvironment } from './process/start/environment.ts'
import type { Adapters } from './surfaces/cli/world.ts'

// Adapters are loaded on first use: most verbs need few, and some bring large packages.

const DRIVERS: Readonly<Record<string, (options: DriverOptions) => Promise<AgentDriver>>> = {
  claude: async (options) => (await import('./adapters/drivers/claude/driver.ts')).claudeDriver(options),
  scripted: async (options) => (await import('./adapters/drivers/scripted/driver.ts')).scriptedDriver(options),
}

const JUDGES: Readonly<Record<string, (options: HttpJudgeOptions & AgentJudgeOptions) => Promise<Judge>>> = {
  agent: async (options) => (await import('./adapters/judges/agent.ts')).agentJudge(options),
  ollama: async (options) => (await import('./adapters/judges/ollama.ts')).ollamaJudge(options),
  openai: async (options) => (await import('./adapters/judges/openai.ts')).openaiJudge(options),
}

/** Every adapter that the command line can reach. */
export const adapters: Adapters = {
  drivers: Object.keys(DRIVERS),
  driverProblem: (name) => unknownDriver(name, Object.keys(DRIVERS)),
  taskFile: async () => (await import('./adapters/sources/task-file/task-file.ts')).taskFile,
  git: (folder, args, environment) => gitAt({ folder }, definedIn(environment)).run(args),
  async find(folder, environment) {
    const repository = await findRepository(folder, definedIn(environment))
    if (isProblem(repository)) return repository
    const home = stateHome(environment)
    return isProblem(home) ? home : localRepository(repository, home, partsFor(environment))
  },
  async examine({ folder, environment }) {
    const { examineMachine } = await import('./adapters/repository/examine-machine.ts')
    const { sqliteVersion } = await import('./adapters/stores/sqlite/sqlite-version.ts')
    return { ...(await examineMachine(folder, definedIn(environment))), sqlite: sqliteVersion() }
  },
}

function partsFor(environment: Environment): RepositoryParts {
  return {
    openState: async (folder) => (await import('./adapters/stores/open-state.ts')).openState(folder),
    openTools: (at, clock, use) => openTools(at, environment, clock, use),
    exports: async () => (await import('./adapters/stores/exports/run-exports.ts')).runExports,
    salvage: async (git) => (await import('./adapters/workspaces/salvage-refs.ts')).openSalvage(git),
    async leftovers(git, home, inUse) {
      const pins = await (await import('./adapters/landing/pins.ts')).findIdlePins(git, inUse)
      if (isProblem(pins)) return pins
      return { ...pins, ...(await (await import('./adapters/workspaces/strays.ts')).findStrays(home)) }
    },
    promptOf: async (...of) => (await import('./adapters/stores/transcripts.ts')).readPrompt(...of),
    transcriptTail: async (...of) => (await import('./adapters/stores/transcript-tail.ts')).transcriptTail(...of),
    async agentRecords(home, env, kept) {
      const { agentHomes, orphanRecords } = await import('./adapters/drivers/claude/session-records.ts')
      const homes = resolveEnv(agentHomes(env), environment)
      return isProblem(homes) ? [] : orphanRecords({ environment: { ...environment, ...homes }, home, kept })
    },
  }
}

// Variables by which agents find the user's sign-in; keys are passed on only when the settings name them.
const SIGN_IN_NAMES = ['CLAUDE_CONFIG_DIR']

async function openTools(...args: readonly [OpenedAt, Environment, Clock, ToolUse]): Promise<Tools | Problem> {
  const shells = new Shells()
  const tools = await openToolsWith(shells, ...args)
  if (isProblem(tools)) await shells.close()
  return tools
}

async function openToolsWith(
  shells: Shells,
  at: OpenedAt,
  from: Environment,
  clock: Clock,
  use: ToolUse,
): Promise<Tools | Problem> {
  const repository = await openRepository(at.found.checkout, definedIn(from), shells.run)
  if (isProblem(repository)) return repository
  if (use !== 'neither' && isProblem(repository.identity)) return repository.identity
  const containment = await openContainment(definedIn(from))
  if (isProblem(containment)) return containment
  const environment = buildEnvironment(from, [], {})
  const { sharedClones } = await import('./adapters/workspaces/shared-clones.ts')
  const { checkoutPaths, pidFolderOf } = await import('./adapters/workspaces/clone-paths.ts')
  const workspaces = sharedClones({ repository, home: at.workspacesHome, environment, containment })
  const transcripts = transcriptsIn(at.stateFolder)
  const options: DriverOptions = {
    clock,
    containment,
    environment: buildEnvironment(from, SIGN_IN_NAMES, {}),
    transcriptFolder: (attempt) => join(transcripts, attempt),
    pidFolder: (attempt) => pidFolderOf(workspaces.folder(attempt)),
    scriptFolder: at.found.checkout,
    resolveEnv: (env) => resolveEnv(env, from),
  }
  if (use === 'rounds') endOrphanedNamespaces()
  const drivers = await openAll(use === 'rounds' ? DRIVERS : {}, options)
  // A checkout like any other: should this process be killed, the next start empties and removes it.
  const judgeFolder = checkoutPaths(at.workspacesHome, JUDGE_PHASE)
  // The folder of an engine that runs meanwhile is not ours to discard.
  let isJudgeFolderUsed = false
  const judges = await openAll(JUDGES, {
    clock,
    resolveEnv: options.resolveEnv,
    folder: judgeFolder.tree,
    async driver(name) {
      isJudgeFolderUsed = true
      return (await DRIVERS[name]?.({ ...options, pidFolder: () => judgeFolder.pids })) ?? null
    },
  })
  const agentTools = (await import('./adapters/agent-tools/agent-tools.ts')).mcpTools()
  return {
    clock,
    workspaces,
    agentTools,
    landing: (await import('./adapters/landing/git-landing.ts')).gitLanding({ repository }),
    gate: (await import('./adapters/gates/command.ts')).commandGate({
      containment,
      environment,
      pidFolder: pidFolderOf,
    }),
    lane: (await import('./adapters/lanes/in-process.ts')).inProcessLane(),
    knowledgePage: (await import('./adapters/stores/knowledge-page.ts')).fileKnowledgePage(at.stateFolder),
    transcripts: (await import('./adapters/stores/transcripts.ts')).fileTranscripts(transcripts),
    driver: (name) => drivers.get(name) ?? null,
    judge: (name) => judges.get(name) ?? null,
    branch: repository.branch,
    containment: containment.kind,
    async close() {
      await agentTools.close()
      if (isJudgeFolderUsed) await workspaces.discard(judgeFolder.name)
      await shells.close()
      if (containment.kind === 'guard') await containment.guard.end()
    },
  }
}

async function openAll<Options, Opened>(
  factories: Readonly<Record<string, (options: Options) => Promise<Opened>>>,
  options: Options,
): Promise<ReadonlyMap<string, Opened>> {
  const entries = Object.entries(factories)
  return new Map(await Promise.all(entries.map(async ([name, open]) => [name, await open(options)] as const)))
}
