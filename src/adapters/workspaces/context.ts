import { join } from 'node:path'
import { borrowedObjects } from '../../git/borrowed-objects.ts'
import type { GitRepository } from '../../git/repository.ts'
import type { Sandbox } from '../../ports/sandbox.ts'
import { enclosedCommand } from '../../process/start/enclosed-command.ts'
import { type RunCommand, runCommand } from '../../process/start/run-command.ts'
import type { ClonePaths } from './clone-paths.ts'

/** Options of shared clones. */
export interface SharedClonesOptions {
  readonly repository: GitRepository
  /** Folder for the workspaces of this repository, outside of it. */
  readonly home: string
  /** Complete environment of git, setup commands and hooks. */
  readonly environment: Readonly<Record<string, string>>
  readonly sandbox: Sandbox
  /** Starts short commands; by default each in a process of its own. */
  readonly run?: RunCommand
  /** Time that processes in a workspace get to exit before they are killed. */
  readonly graceMs?: number
  /** Receives remarks for people that stop nothing. */
  readonly note?: (text: string) => void
}

/** Options of shared clones with every default filled in. */
export interface WorkspaceContext extends Required<Omit<SharedClonesOptions, 'run'>> {
  /** Returns the runner for programs that read what an agent may have written: in the clone's sandbox, for a limited time. */
  readonly inside: (clone: ClonePaths) => RunCommand
}

/** Fills in the defaults of options. */
export function workspaceContext({ run = runCommand, ...options }: SharedClonesOptions): WorkspaceContext {
  const { sandbox } = options
  const inside =
    ({ tree, take, objects, indexes }: ClonePaths): RunCommand =>
    (command) => {
      // Read-only but for new objects and indexes: from what the rest says follows what is shown inside.
      const reads = [take, join(objects, 'info'), ...borrowedObjects(take)]
      const order = { purpose: 'git', folder: tree, env: command.env, reads, writes: [objects, indexes] } as const
      const { containment, env } = sandbox.enclose(order)
      return run({ timeoutMs: INSIDE_MS, ...enclosedCommand({ ...command, env }, containment) })
    }
  return { graceMs: GRACE_MS, note: () => {}, inside, ...options }
}

const GRACE_MS = 3_000
const INSIDE_MS = 300_000
