import type { GitRepository } from '../../git/repository.ts'
import type { Sandbox } from '../../ports/sandbox.ts'
import type { RunCommand } from '../../process/start/run-command.ts'
import type { ClonePaths } from './clone-paths.ts'

/** Options of shared clones. */
export interface SharedClonesOptions {
  readonly repository: GitRepository
  /** Folder for the workspaces of this repository, outside of it. */
  readonly home: string
  /** Complete environment of git, setup commands and hooks. */
  readonly environment: Readonly<Record<string, string>>
  readonly sandbox: Sandbox
  /**
   * Returns the runner for programs that read what an agent may have written: it confines them to the clone's tree and
   * `take` folder as far as this machine can, and ends them after a time.
   */
  readonly inside?: (clone: ClonePaths) => RunCommand
  /** Time that processes in a workspace get to exit before they are killed. */
  readonly graceMs?: number
  /** Receives remarks for people that stop nothing. */
  readonly note?: (text: string) => void
}

/** Options of shared clones with every default filled in. */
export type WorkspaceContext = Required<SharedClonesOptions>

/** Returns a runner that ends commands after a time, unless they set their own. */
export function withTimeLimit(run: RunCommand): RunCommand {
  return (command) => run({ timeoutMs: INSIDE_MS, ...command })
}

const INSIDE_MS = 300_000
