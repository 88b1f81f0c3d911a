import type { GitRepository } from '../../git/repository.ts'
import type { Containment } from '../../process/containment.ts'

/** What shared clones need to know about where they are made. */
export interface SharedClonesOptions {
  readonly repository: GitRepository
  /** A folder for this repository's workspaces alone, outside of it. */
  readonly home: string
  /** The whole environment of git, setup commands and hooks. */
  readonly environment: Readonly<Record<string, string>>
  readonly containment: Containment
  /** How long what works in a workspace may take to end by itself. */
  readonly graceMs?: number
  /** Takes what is worth saying and stops nothing. */
  readonly note?: (text: string) => void
}

/** Options of shared clones with every default filled in. */
export type WorkspaceContext = Required<SharedClonesOptions>
