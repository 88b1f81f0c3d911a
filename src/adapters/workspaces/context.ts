import type { GitRepository } from '../../git/repository.ts'
import type { Containment } from '../../process/start/containment.ts'

/** Options of shared clones. */
export interface SharedClonesOptions {
  readonly repository: GitRepository
  /** Folder for the workspaces of this repository, outside of it. */
  readonly home: string
  /** Complete environment of git, setup commands and hooks. */
  readonly environment: Readonly<Record<string, string>>
  readonly containment: Containment
  /** Time that processes in a workspace get to exit before they are killed. */
  readonly graceMs?: number
  /** Receives remarks for people that stop nothing. */
  readonly note?: (text: string) => void
}

/** Options of shared clones with every default filled in. */
export type WorkspaceContext = Required<SharedClonesOptions>
