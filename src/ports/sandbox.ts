import type { Protection } from '../core/model/protection.ts'
import type { Purpose } from '../core/sandbox/view.ts'
import type { Containment } from '../process/start/containment.ts'

/** Limits what programs in workspaces and checkouts can see and reach. */
export interface Sandbox {
  readonly protection: Protection
  /** Returns the surroundings in which a program is to be started. */
  enclose(order: Enclosing): Enclosure
}

/** Program that is to be enclosed. */
export interface Enclosing {
  readonly purpose: Purpose
  /** Tree of the workspace or checkout that it works in. */
  readonly folder: string
  /** Complete environment that it would have outside. */
  readonly env: Readonly<Record<string, string>>
  /** Further folders and files of ours that it reads, such as its own program. */
  readonly reads?: readonly string[]
  /** Further folders of ours that it writes. */
  readonly writes?: readonly string[]
}

/** Containment of one program, and its environment inside. */
export interface Enclosure {
  readonly containment: Containment
  readonly env: Readonly<Record<string, string>>
}
