import type { Environment } from '../../config/environment.ts'
import type { ParseShell } from '../../core/definitions/shell-command.ts'
import type { Problem } from '../../core/model/problem.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Repository } from '../../ports/repository.ts'
import type { TaskSource } from '../../ports/task-source.ts'
import type { Terminal } from './terminal.ts'

/** Everything that the command line gets from outside. */
export interface World {
  readonly clock: Clock
  readonly environment: Environment
  /** Current folder of the user. */
  readonly folder: string
  readonly pid: number
  readonly stdout: Stream
  readonly stderr: Stream
  /** Listens for a signal; the returned function stops listening. */
  onSignal(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): () => void
  /** Asks the person at the terminal; resolves to null when there is no terminal. */
  ask(question: string): Promise<string | null>
  /** Returns the user's terminal, or null when there is none. */
  terminal(): Terminal | null
  /** Ends this process immediately. */
  exit(code: number): never
  /** Loads the adapters on first use. */
  adapters(): Promise<Adapters>
}

export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** Adapters that the registry offers. */
export interface Adapters {
  /** Finds the repository that a folder belongs to. */
  find(folder: string, environment: Environment): Promise<Repository | Problem>
  taskFile(): Promise<TaskSource>
  readonly drivers: readonly string[]
  /** Returns a problem for an unknown driver, or null. */
  driverProblem(name: string): Problem | null
  /** Examines the machine and the repository for doctor. */
  examine(world: Pick<World, 'folder' | 'environment'>): Promise<Examination>
  /** Says by which sign this process belongs to an attempt; null for a process of a person. */
  attemptAround(world: Pick<World, 'folder' | 'environment' | 'pid'>): Promise<string | null>
  parseShell(): Promise<ParseShell>
  /** Runs git in a folder. */
  git(folder: string, args: readonly string[], environment: Environment): Promise<string | Problem>
}

/** Facts about the machine and the repository that doctor reports. */
export interface Examination {
  readonly git: string | Problem
  readonly repository: string | Problem
  /** Author of commits, or the reason why there is none. */
  readonly identity: string | Problem
  readonly sqlite: string | Problem
}
