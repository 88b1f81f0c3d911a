import type { Environment } from '../../config/environment.ts'
import type { Problem } from '../../core/model/problem.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Repository } from '../../ports/repository.ts'
import type { TaskSource } from '../../ports/task-source.ts'
import type { Terminal } from './terminal.ts'

/** Everything the command line gets from outside. */
export interface World {
  readonly clock: Clock
  readonly environment: Environment
  /** The folder the user stands in. */
  readonly folder: string
  readonly pid: number
  readonly stdout: Stream
  readonly stderr: Stream
  /** Signals to this process; returns how to stop listening. */
  onSignal(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', heard: () => void): () => void
  /** Asks the person at the terminal; null: there is none. */
  ask(question: string): Promise<string | null>
  /** The terminal that a person sits at; null: there is none. */
  terminal(): Terminal | null
  /** Ends this process at once. */
  exit(code: number): never
  /** The adapters; loaded when first asked for. */
  adapters(): Promise<Adapters>
}

export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
  on(event: 'error', heard: (error: Error) => void): unknown
}

/** What the registry offers. */
export interface Adapters {
  /** The repository that a folder belongs to. */
  find(folder: string, environment: Environment): Promise<Repository | Problem>
  taskFile(): Promise<TaskSource>
  /** The names of all drivers. */
  readonly drivers: readonly string[]
  /** Why a driver cannot be used, or null. */
  driverProblem(name: string): Problem | null
  /** Tries out what the machine and the repository offer. */
  examine(world: Pick<World, 'folder' | 'environment'>): Promise<Examination>
  /** Runs git for the demo's own project. */
  git(folder: string, args: readonly string[], environment: Environment): Promise<string | Problem>
}

/** What doctor finds out about the machine and the repository. */
export interface Examination {
  readonly git: string | Problem
  readonly repository: string | Problem
  /** Who commits are by, or why none can be made. */
  readonly identity: string | Problem
  readonly containment: 'bwrap' | 'guard' | Problem
  readonly sqlite: string | Problem
}
