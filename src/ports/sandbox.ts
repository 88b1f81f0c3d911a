import type { Protection } from '../core/model/protection.ts'
import type { RefusedHost } from '../core/sandbox/network-access.ts'
import type { Purpose } from '../core/sandbox/view.ts'
import type { Containment } from '../process/start/containment.ts'
import type { Listener } from '../process/start/listeners.ts'

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
  /** Ports of this machine that it reaches besides those of the settings, such as its model's. */
  readonly loopback?: readonly number[]
  /** Hosts that it reaches besides those of the settings, such as its model's. */
  readonly hosts?: readonly string[]
  /** Ports that we answer, such as those of Longhaul's tools. */
  readonly listeners?: readonly Listener[]
  /** Model that it calls with a key; we add the key, so that it has none. */
  readonly model?: ModelAccess
  /** Called for each host that it was not allowed to reach. */
  readonly onRefused?: (refused: RefusedHost) => void
}

/** API of a model, and the headers with the key. */
export interface ModelAccess {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Containment of one program, and its environment inside. */
export interface Enclosure {
  readonly containment: Containment
  readonly env: Readonly<Record<string, string>>
}
