import { unknownDriver } from './adapters/drivers/unknown-driver.ts'
import { localRepository, type RepositoryParts } from './adapters/repository/local-repository.ts'
import { definedIn, type Environment } from './config/environment.ts'
import { stateHome } from './config/places.ts'
import { isProblem } from './core/model/problem.ts'
import { gitAt } from './git/git.ts'
import { findRepository } from './git/repository.ts'
import type { DriverFactories, JudgeFactories } from './open-tools.ts'
import type { Adapters } from './surfaces/cli/world.ts'

// Adapters are loaded on first use: most verbs need few, and some bring large packages.

const DRIVERS: DriverFactories = {
  claude: async (options) => (await import('./adapters/drivers/claude/driver.ts')).claudeDriver(options),
  scripted: async (options) => (await import('./adapters/drivers/scripted/driver.ts')).scriptedDriver(options),
}

const JUDGES: JudgeFactories = {
  agent: async (options) => (await import('./adapters/judges/agent.ts')).agentJudge(options),
  ollama: async (options) => (await import('./adapters/judges/ollama.ts')).ollamaJudge(options),
  openai: async (options) => (await import('./adapters/judges/openai.ts')).openaiJudge(options),
}

/** Every adapter that the command line can reach. */
export const adapters: Adapters = {
  drivers: Object.keys(DRIVERS),
  driverProblem: (name) => unknownDriver(name, Object.keys(DRIVERS)),
  taskFile: async () => (await import('./adapters/sources/task-file/task-file.ts')).taskFile,
  parseShell: async () => (await import('./adapters/gates/parse-shell.ts')).parseShell,
  git: (folder, args, environment) => gitAt({ folder }, definedIn(environment)).run(args),
  async find(folder, environment) {
    const repository = await findRepository(folder, definedIn(environment))
    if (isProblem(repository)) return repository
    const home = stateHome(environment)
    return isProblem(home) ? home : localRepository(repository, home, partsFor(environment))
  },
  async attemptAround({ pid, folder, environment }) {
    const home = stateHome(environment)
    const { attemptAround } = await import('./adapters/workspaces/attempt-around.ts')
    return attemptAround({ pid, folder, environment, stateHome: isProblem(home) ? '' : home })
  },
  async examine({ folder, environment }) {
    const { examineMachine } = await import('./adapters/repository/examine-machine.ts')
    const { sqliteVersion } = await import('./adapters/stores/sqlite/sqlite-version.ts')
    return { ...(await examineMachine(folder, definedIn(environment))), sqlite: sqliteVersion() }
  },
}

function partsFor(environment: Environment): RepositoryParts {
  return {
    openState: async (place) => (await import('./adapters/stores/open-state.ts')).openState(place),
    openStateCopy: async (place) => (await import('./adapters/stores/open-copy.ts')).openStateCopy(place),
    prepareState: async (...of) => (await import('./adapters/stores/open-state.ts')).prepareState(...of),
    leaseHolder: async (place) => (await import('./adapters/stores/lease.ts')).sqliteLeases(place).holder(),
    async openTools(at, clock, use, sandbox) {
      const { openTools } = await import('./open-tools.ts')
      return openTools({ at, environment, clock, use, sandbox, drivers: DRIVERS, judges: JUDGES })
    },
    backups: async (folder) => (await import('./adapters/stores/sqlite/backups/backups.ts')).sqliteBackups(folder),
    exports: async () => (await import('./adapters/stores/exports/run-exports.ts')).runExports,
    salvage: async (git) => (await import('./adapters/workspaces/salvage-refs.ts')).openSalvage(git),
    async leftovers(git, home, inUse) {
      const pins = await (await import('./adapters/landing/pins.ts')).findIdlePins(git, inUse)
      if (isProblem(pins)) return pins
      return { ...pins, ...(await (await import('./adapters/workspaces/strays.ts')).findStrays(home)) }
    },
    promptOf: async (...of) => (await import('./adapters/stores/transcripts.ts')).readPrompt(...of),
    transcriptTail: async (...of) => (await import('./adapters/stores/transcript-tail.ts')).transcriptTail(...of),
  }
}
