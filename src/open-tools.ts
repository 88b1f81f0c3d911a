import { join } from 'node:path'
import type { DriverOptions } from './adapters/drivers/driver-options.ts'
import type { AgentJudgeOptions } from './adapters/judges/agent.ts'
import type { HttpJudgeOptions } from './adapters/judges/http.ts'
import { openContainment } from './adapters/repository/examine-machine.ts'
import { type OpenedAt, transcriptsIn } from './adapters/repository/local-repository.ts'
import { type OpenedSandbox, openSandbox } from './adapters/sandboxes/open-sandbox.ts'
import { packageRegistries } from './adapters/sandboxes/package-registries.ts'
import { sandboxNetwork } from './adapters/sandboxes/sandbox-network.ts'
import { definedIn, type Environment, resolveEnv } from './config/environment.ts'
import { userHome } from './config/places.ts'
import { stackNames } from './config/stacks/find-stacks.ts'
import type { StackName } from './config/stacks/stack.ts'
import { isProblem, type Problem } from './core/model/problem.ts'
import { isShutIn } from './core/model/protection.ts'
import type { SandboxSettings } from './core/model/settings.ts'
import { JUDGE_PHASE } from './core/phases/judge-agent.ts'
import { type CacheName, cacheFor } from './core/sandbox/package-cache.ts'
import { SANDBOX_PORTS } from './core/sandbox/ports.ts'
import { splitNul } from './git/git.ts'
import { identityConfig } from './git/identity.ts'
import { type GitRepository, openRepository } from './git/repository.ts'
import { listWorktrees } from './git/worktrees.ts'
import type { AgentDriver } from './ports/agent-driver.ts'
import type { Clock } from './ports/clock.ts'
import type { Judge } from './ports/judge.ts'
import type { Tools, ToolUse } from './ports/repository.ts'
import { endOrphanedNamespaces } from './process/end/end-orphaned-namespaces.ts'
import { Shells } from './process/shell/shells.ts'
import { buildEnvironment } from './process/start/environment.ts'

type Factories<Options, Opened> = Readonly<Record<string, (options: Options) => Promise<Opened>>>

/** Agent drivers by the name that settings use. */
export type DriverFactories = Factories<DriverOptions, AgentDriver>

/** Judges by the name that settings use. */
export type JudgeFactories = Factories<HttpJudgeOptions & AgentJudgeOptions, Judge>

interface OpenToolsOptions {
  readonly at: OpenedAt
  readonly environment: Environment
  readonly clock: Clock
  readonly use: ToolUse
  readonly sandbox: SandboxSettings
  readonly drivers: DriverFactories
  readonly judges: JudgeFactories
}

// Variables by which agents find the user's sign-in; keys are passed on only when the settings name them.
const SIGN_IN_NAMES = ['CLAUDE_CONFIG_DIR']

/** Opens all that an engine works with; nothing stays open when one part cannot be opened. */
export async function openTools(options: OpenToolsOptions): Promise<Tools | Problem> {
  const shells = new Shells()
  const tools = await openToolsWith(shells, options)
  if (isProblem(tools)) await shells.close()
  return tools
}

async function openToolsWith(shells: Shells, opened: OpenToolsOptions): Promise<Tools | Problem> {
  const { at, clock, use, environment: from } = opened
  const repository = await openRepository(at.found.checkout, definedIn(from), shells.run)
  if (isProblem(repository)) return repository
  if (use !== 'neither' && isProblem(repository.identity)) return repository.identity
  const environment = buildEnvironment(from, [], {})
  const { sharedClones } = await import('./adapters/workspaces/shared-clones.ts')
  const { checkoutPaths, pidFolderOf } = await import('./adapters/workspaces/clone-paths.ts')
  const sandbox = await sandboxFor(opened, repository, environment)
  if (isProblem(sandbox)) return sandbox
  const workspaces = sharedClones({ repository, home: at.workspacesHome, environment, sandbox, run: shells.run })
  const transcripts = transcriptsIn(at.stateFolder)
  const options: DriverOptions = {
    clock,
    sandbox,
    environment: buildEnvironment(from, SIGN_IN_NAMES, {}),
    transcriptFolder: (attempt) => join(transcripts, attempt),
    pidFolder: (attempt) => pidFolderOf(workspaces.folder(attempt)),
    scriptFolder: at.found.checkout,
    resolveEnv: (env) => resolveEnv(env, from),
  }
  if (use === 'rounds') endOrphanedNamespaces()
  const drivers = await openAll(use === 'rounds' ? opened.drivers : {}, options)
  // A checkout like any other: should this process be killed, the next start empties and removes it.
  const judgeFolder = checkoutPaths(at.workspacesHome, JUDGE_PHASE)
  // The folder of an engine that runs meanwhile is not ours to discard.
  let isJudgeFolderUsed = false
  const judges = await openAll(opened.judges, {
    clock,
    resolveEnv: options.resolveEnv,
    folder: judgeFolder.tree,
    async driver(name) {
      isJudgeFolderUsed = true
      return (await opened.drivers[name]?.({ ...options, pidFolder: () => judgeFolder.pids })) ?? null
    },
  })
  const agentTools = (await import('./adapters/agent-tools/agent-tools.ts')).mcpTools(
    isShutIn(sandbox.protection) ? SANDBOX_PORTS.tools : null,
  )
  return {
    clock,
    workspaces,
    agentTools,
    landing: (await import('./adapters/landing/git-landing.ts')).gitLanding({ repository }),
    gate: (await import('./adapters/gates/command.ts')).commandGate({
      sandbox,
      environment,
      pidFolder: pidFolderOf,
    }),
    parseShell: (await import('./adapters/gates/parse-shell.ts')).parseShell,
    lane: (await import('./adapters/lanes/in-process.ts')).inProcessLane(),
    knowledgePage: (await import('./adapters/stores/knowledge-page.ts')).fileKnowledgePage(at.stateFolder),
    transcripts: (await import('./adapters/stores/transcripts.ts')).fileTranscripts(transcripts),
    driver: (name) => drivers.get(name) ?? null,
    judge: (name) => judges.get(name) ?? null,
    branch: repository.branch,
    protection: sandbox.protection,
    async trySandbox() {
      const { trySandbox } = await import('./adapters/sandboxes/try-sandbox.ts')
      const hidden = [at.stateFolder, join(at.found.checkout, '.git', 'HEAD')]
      return trySandbox({ sandbox, home: at.workspacesHome, hidden, env: environment })
    },
    async close() {
      await agentTools.close()
      if (isJudgeFolderUsed) await workspaces.discard(judgeFolder.name)
      await shells.close()
      await sandbox.close()
    },
  }
}

/** Opens the sandbox of everything that works on a repository. */
async function sandboxFor(
  { at, sandbox: settings, environment: from }: OpenToolsOptions,
  repository: GitRepository,
  environment: Readonly<Record<string, string>>,
): Promise<OpenedSandbox | Problem> {
  const { homeOf, npmFolderOf } = await import('./adapters/workspaces/clone-paths.ts')
  const gitConfig = isProblem(repository.identity) ? '' : identityConfig(repository.identity)
  const npmFor = (tree: string, cache: CacheName) => ({
    folder: npmFolderOf(tree, cache),
    packages: join(at.cachesHome, cache, 'npm'),
  })
  return openSandbox({
    environment,
    home: userHome(from),
    stateHome: at.home,
    repository: await placesOf(repository),
    objects: join(repository.gitDir, 'objects'),
    settings,
    openContainment: () => openContainment(definedIn(from)),
    // Git reads files of ours alone, and no settings that an agent could have written.
    ownPlacesOf({ purpose, folder }) {
      if (purpose === 'git') return null
      const cache = cacheFor(purpose)
      return { home: homeOf(folder), gitConfig, npm: cache === null ? null : npmFor(folder, cache) }
    },
    networkOf: sandboxNetwork({
      settings,
      environment: definedIn(from),
      registries: packageRegistries(await stacksOf(repository), definedIn(from)),
      origin: repository.settings.findLast(({ key }) => key === 'remote.origin.url')?.value ?? null,
    }),
  })
}

/** Lists the user's checkouts and the git folder, which nothing in a workspace may see. */
async function placesOf(repository: GitRepository): Promise<readonly string[]> {
  const worktrees = await listWorktrees(repository)
  // Without a list, at least the checkout that this engine was started in.
  const folders = isProblem(worktrees) ? [] : worktrees.map(({ folder }) => folder)
  return [repository.gitDir, repository.checkout, ...folders]
}

async function stacksOf({ git, checkout }: GitRepository): Promise<readonly StackName[]> {
  const files = await git.at({ folder: checkout }).run(['ls-files', '-z'])
  return isProblem(files) ? [] : stackNames(splitNul(files))
}

async function openAll<Options, Opened>(
  factories: Factories<Options, Opened>,
  options: Options,
): Promise<ReadonlyMap<string, Opened>> {
  const entries = Object.entries(factories)
  return new Map(await Promise.all(entries.map(async ([name, open]) => [name, await open(options)] as const)))
}
