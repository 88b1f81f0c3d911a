import { createHash } from 'node:crypto'
import { existsSync, realpathSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { DriverOptions } from './adapters/drivers/driver-options.ts'
import type { AgentJudgeOptions } from './adapters/judges/agent.ts'
import type { JudgeOptions } from './adapters/judges/judge-options.ts'
import { type Environment, resolveEnv } from './config/environment.ts'
import { stateHome } from './config/places.ts'
import { KNOWLEDGE_FILE } from './core/knowledge/keep-knowledge.ts'
import { isProblem, type Problem, problem } from './core/model/problem.ts'
import { JUDGE_PHASE } from './core/phases/judge-agent.ts'
import { nearestName } from './core/reading/nearest-name.ts'
import { diffText, fileChanges } from './git/diff.ts'
import { gitAt } from './git/git.ts'
import { fileProblem } from './git/git-problem.ts'
import { commitOf, isIn, missingCommits, treeOf } from './git/history.ts'
import { branchOf, refs } from './git/names.ts'
import { findLocks } from './git/ref-locks.ts'
import { changeRefs } from './git/refs.ts'
import { type FoundRepository, findIdentity, findRepository, openRepository } from './git/repository.ts'
import type { AgentDriver } from './ports/agent-driver.ts'
import type { Clock } from './ports/clock.ts'
import type { Judge } from './ports/judge.ts'
import { type Containment, probeContainment } from './process/containment.ts'
import { endUntied } from './process/end-untied.ts'
import { buildEnvironment } from './process/environment.ts'
import { makeReady } from './process/make-ready.ts'
import { endShells } from './process/run-in-shell.ts'
import { endWaiting } from './process/waiting-process.ts'
import type { Adapters, Repository, Tools, ToolUse } from './surfaces/cli/world.ts'

// Adapters are loaded when they are needed: most verbs need few, and some bring large packages.

/** The drivers of this version, by name. */
const DRIVERS: Readonly<Record<string, (options: DriverOptions) => Promise<AgentDriver>>> = {
  claude: async (options) => (await import('./adapters/drivers/claude/driver.ts')).claudeDriver(options),
  scripted: async (options) => (await import('./adapters/drivers/scripted/driver.ts')).scriptedDriver(options),
}

/** The judges of this version, by name. */
const JUDGES: Readonly<Record<string, (options: JudgeOptions & AgentJudgeOptions) => Promise<Judge>>> = {
  agent: async (options) => (await import('./adapters/judges/agent.ts')).agentJudge(options),
  ollama: async (options) => (await import('./adapters/judges/ollama.ts')).ollamaJudge(options),
  openai: async (options) => (await import('./adapters/judges/openai.ts')).openaiJudge(options),
}

/** Every adapter that the command line can reach. */
export const adapters: Adapters = {
  taskFile: async () => (await import('./adapters/sources/task-file/task-file.ts')).taskFile,
  async find(folder, environment) {
    const found = await findRepository(folder, ours(environment))
    if (isProblem(found)) return found
    const home = stateHome(environment)
    return isProblem(home) ? home : placeOf(found, home, environment)
  },
  drivers: Object.keys(DRIVERS),
  driverProblem: (name) => (Object.hasOwn(DRIVERS, name) ? null : noDriver(name)),
  async examine({ folder, environment }) {
    const git = await gitAt({ folder }, ours(environment)).run(['version'])
    const found = await findRepository(folder, ours(environment))
    const opened = isProblem(found) ? found : await openRepository(folder, ours(environment))
    const identity = isProblem(found) ? found : await findIdentity(found, ours(environment))
    const containment = await contain(environment)
    if (!isProblem(containment) && containment.kind === 'guard') await containment.guard.end()
    return {
      git: isProblem(git) ? git : git.trim(),
      repository: isProblem(opened) ? opened : opened.checkout,
      identity: isProblem(identity) ? identity : `${identity.author.name} <${identity.author.email}>`,
      containment: isProblem(containment) ? containment : containment.kind,
      sqlite: (await import('./adapters/stores/sqlite/sqlite-version.ts')).sqliteVersion(),
    }
  },
  git: (folder, args, environment) => gitAt({ folder }, ours(environment)).run(args),
}

/** Git and we ourselves may see everything the user has. */
function ours(environment: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

function placeOf(found: FoundRepository, home: string, environment: Environment): Repository {
  const stateFolder = join(found.gitDir, 'longhaul')
  const workspacesHome = join(home, repositoryName(found.gitDir))
  const hasState = () => existsSync(join(stateFolder, 'state.db'))
  return {
    root: found.checkout,
    stateFolder,
    workspacesHome,
    hasState,
    async openState() {
      const kept = hasState() ? null : setAside(workspacesHome)
      if (kept !== null) return kept
      const { openSqliteStore } = await import('./adapters/stores/sqlite/open-sqlite-store.ts')
      const { sqliteLeases } = await import('./adapters/stores/lease.ts')
      const store = await openSqliteStore({ folder: stateFolder })
      if (isProblem(store)) return store
      const { fileActivities } = await import('./adapters/stores/activities.ts')
      const activities = fileActivities(join(stateFolder, 'activity'))
      return { store, leases: sqliteLeases(stateFolder), activities }
    },
    openTools(clock, use, corner = '') {
      return openTools({ found, stateFolder, workspacesHome: join(workspacesHome, corner), environment }, clock, use)
    },
    removeCorner: (name) => rm(join(workspacesHome, name), { recursive: true, force: true }),
    treeOf: (commit) => treeOf(found.git, commit),
    missingCommits: (commits) => missingCommits(found.git, commits),
    async pinLine(target, commit) {
      const pinned = await changeRefs(found.git, [{ ref: refs.line(target), to: commit, from: null }])
      return isProblem(pinned) ? pinned : null
    },
    async salvage() {
      const { forgetSalvage, salvageRefs } = await import('./adapters/workspaces/salvage-refs.ts')
      const kept = await salvageRefs(found.git)
      return isProblem(kept) ? kept : { refs: kept, forget: (work) => forgetSalvage(found.git, work) }
    },
    exports: async () => (await import('./adapters/stores/exports/run-exports.ts')).runExports,
    hasBranch: async (branch) => typeof (await commitOf(found.git, refs.head(branch))) === 'string',
    async branchHas(branch, commit) {
      const head = await commitOf(found.git, refs.head(branch))
      return head !== null && !isProblem(head) && (await isIn(found.git, commit, head)) === true
    },
    branchOf,
    async leftovers(inUse) {
      const { findAbandonedCorners, findStrays } = await import('./adapters/workspaces/strays.ts')
      const { findIdlePins, removePins } = await import('./adapters/landing/pins.ts')
      const pins = await findIdlePins(found.git, inUse)
      if (isProblem(pins)) return pins
      const processes = await findStrays(workspacesHome)
      const locks = await findLocks(found.gitDir)
      const corners = await findAbandonedCorners(workspacesHome)
      return { processes, corners, locks, pins, removePins: (names) => removePins(found.git, names) }
    },
    async promptOf(attempt, round) {
      const { readPrompt } = await import('./adapters/stores/transcripts.ts')
      return readPrompt(transcriptsIn(stateFolder), attempt, round)
    },
    agentRecords: (env, kept) => agentRecords(workspacesHome, environment, env, kept),
    changes: {
      commitAt: (name) => commitOf(found.git, name),
      text: (from, to, look) => diffText(found.git, from, to, look),
      files: (from, to) => fileChanges(found.git, from, to),
    },
    transcriptTail: async (attempt) =>
      (await import('./adapters/stores/transcript-tail.ts')).transcriptTail(transcriptsIn(stateFolder), attempt),
  }
}

async function agentRecords(
  home: string,
  environment: Environment,
  env: Parameters<Repository['agentRecords']>[0],
  kept: readonly string[],
): ReturnType<Repository['agentRecords']> {
  const { recordsOfGone } = await import('./adapters/drivers/claude/records.ts')
  const given = HOME_NAMES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))
  const resolved = resolveEnv(Object.fromEntries(given), environment)
  return isProblem(resolved) ? [] : recordsOfGone({ environment: { ...environment, ...resolved }, home, kept })
}

function transcriptsIn(stateFolder: string): string {
  return join(stateFolder, 'transcripts')
}

/** Workspaces of a repository that was here before: kept for people, but never taken for ours. */
function setAside(workspacesHome: string): Problem | null {
  try {
    for (let number = 1; existsSync(workspacesHome); number += 1) {
      const aside = `${workspacesHome}.before-${number}`
      if (!existsSync(aside)) renameSync(workspacesHome, aside)
    }
    return null
  } catch (cause) {
    return fileProblem(workspacesHome, cause)
  }
}

/** Readable for people, and its own for every repository; short, because workspaces' paths start with it. */
function repositoryName(gitDir: string): string {
  const real = realpathSync(gitDir)
  const folder = basename(real) === '.git' ? basename(dirname(real)) : basename(real)
  const readable = folder.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, READABLE_LENGTH_MAX)
  return `${readable}-${createHash('sha256').update(real).digest('hex').slice(0, DIGEST_LENGTH)}`
}

const READABLE_LENGTH_MAX = 24
const DIGEST_LENGTH = 8

interface Where {
  readonly found: FoundRepository
  readonly stateFolder: string
  readonly workspacesHome: string
  readonly environment: Environment
}

async function openTools(where: Where, clock: Clock, use: ToolUse): Promise<Tools | Problem> {
  const { found, stateFolder, workspacesHome: home } = where
  const repository = await openRepository(found.checkout, ours(where.environment))
  if (isProblem(repository)) return repository
  if (use !== 'neither' && isProblem(repository.identity)) return repository.identity
  const containment = await contain(where.environment)
  if (isProblem(containment)) return containment
  const environment = buildEnvironment(where.environment, [], {})
  const { sharedClones } = await import('./adapters/workspaces/shared-clones.ts')
  const { checkoutPlace, pidFolderOf } = await import('./adapters/workspaces/places.ts')
  const workspaces = sharedClones({ repository, home, environment, containment })
  const resolve: JudgeOptions['resolveEnv'] = (env) => resolveEnv(env, where.environment)
  const options: DriverOptions = {
    clock,
    containment,
    environment: buildEnvironment(where.environment, SIGN_IN_NAMES, {}),
    transcriptFolder: (attempt) => join(transcriptsIn(stateFolder), attempt),
    pidFolder: (attempt) => pidFolderOf(workspaces.folder(attempt)),
    scriptFolder: found.checkout,
    resolveEnv: resolve,
  }
  const drivers = await openDrivers(use, options)
  if (use === 'rounds') {
    endUntied()
    makeReady(containment)
  }
  // Like any checkout, it is emptied and removed at the next start, should this process be killed.
  const court = checkoutPlace(home, JUDGE_PHASE)
  let isCourtUsed = false
  const judges = await openJudges({
    clock,
    resolveEnv: resolve,
    folder: court.tree,
    async driver(name) {
      isCourtUsed = true
      const open = Object.hasOwn(DRIVERS, name) ? DRIVERS[name] : undefined
      return (await open?.({ ...options, pidFolder: () => court.pids })) ?? null
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
    knowledgePage: (await import('./adapters/stores/knowledge-page.ts')).fileKnowledgePage(
      join(stateFolder, KNOWLEDGE_FILE),
    ),
    transcripts: (await import('./adapters/stores/transcripts.ts')).fileTranscripts(transcriptsIn(stateFolder)),
    driver: (name) => drivers.get(name) ?? null,
    judge: (name) => judges.get(name) ?? null,
    branch: repository.branch,
    containment: containment.kind,
    async close() {
      await agentTools.close()
      if (isCourtUsed) await workspaces.discard(court.name)
      await Promise.all([endShells(), endWaiting()])
      if (containment.kind === 'guard') await containment.guard.end()
    },
  }
}

/** Where agents find who the user is; keys are passed on only when the settings name them. */
const SIGN_IN_NAMES = ['CLAUDE_CONFIG_DIR']
/** What says where an agent keeps things. */
const HOME_NAMES = ['HOME', ...SIGN_IN_NAMES]

async function openDrivers(use: ToolUse, options: DriverOptions): Promise<ReadonlyMap<string, AgentDriver>> {
  const entries = use === 'rounds' ? Object.entries(DRIVERS) : []
  return new Map(await Promise.all(entries.map(async ([name, open]) => [name, await open(options)] as const)))
}

async function openJudges(options: JudgeOptions & AgentJudgeOptions): Promise<ReadonlyMap<string, Judge>> {
  const entries = Object.entries(JUDGES)
  return new Map(await Promise.all(entries.map(async ([name, open]) => [name, await open(options)] as const)))
}

async function contain(environment: Environment): Promise<Containment | Problem> {
  const containment = await probeContainment({ env: buildEnvironment(environment, [], {}) })
  if (containment.kind !== 'not-started') return containment
  return problem({
    code: 'no-containment',
    message: `Nothing here can make sure that agents end with the engine: ${containment.message}`,
    hint: 'Install bubblewrap (bwrap), or build Longhaul again.',
    retry: 'person',
  })
}

function noDriver(name: string): Problem {
  const nearest = nearestName(name, Object.keys(DRIVERS))
  const known = Object.keys(DRIVERS).join(', ')
  return problem({
    code: 'driver-unknown',
    message: `The driver ${name} is not part of this version.`,
    hint:
      nearest === null
        ? `Set agent.driver in longhaul.yaml to one of: ${known}.`
        : `Did you mean ${nearest}? Set agent.driver in longhaul.yaml.`,
    retry: 'person',
  })
}
