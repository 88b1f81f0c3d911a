import { mkdirSync } from 'node:fs'
import { toolchainVariables } from '../../../core/sandbox/toolchains.ts'
import { viewOf } from '../../../core/sandbox/view.ts'
import type { Enclosing, Enclosure, Sandbox } from '../../../ports/sandbox.ts'
import type { Listener } from '../../../process/start/listeners.ts'
import { bwrapOptions } from './bwrap-options.ts'
import { findPlaces, type Surroundings } from './places.ts'

/** Options of the sandbox. */
export interface BubblewrapOptions extends Surroundings {
  /** The program bwrap. */
  readonly file: string
  /** Returns the folder that a program in a workspace gets as its home; null for none that is kept. */
  readonly homeOf: (order: Enclosing) => string | null
  /** Returns the ports that a program finds open, and the variables that name them. */
  readonly networkOf: (order: Enclosing) => Network
}

/** Ports that a program finds open, and the variables that name them. */
export interface Network {
  readonly listeners: readonly Listener[]
  readonly env: Readonly<Record<string, string>>
}

/** Sandbox of namespaces that bubblewrap creates for each program. */
export function bubblewrap(options: BubblewrapOptions): Sandbox {
  const { file, settings, homeOf, networkOf } = options
  const { level } = settings
  const places = findPlaces(options)
  const toolchains = toolchainVariables(options.home, options.environment, places.shown)
  return {
    protection: { kind: 'sandbox', level },
    enclose(order) {
      const { folder, env, reads = [], writes = [] } = order
      if (level === 'trusted')
        return { containment: { kind: 'bwrap', file, options: bwrapOptions(level, null), listeners: [] }, env }
      const own = homeOf(order)
      const writable = [...places.writable, folder, ...(own === null ? [] : [own]), ...writes]
      for (const path of writable.slice(places.writable.length)) mkdirSync(path, { recursive: true, mode: 0o700 })
      const view = viewOf(level, { ...places, shown: [...places.shown, ...reads], writable })
      const network = networkOf(order)
      return {
        containment: { kind: 'bwrap', file, options: bwrapOptions(level, view), listeners: network.listeners },
        env: { ...insideOnly(env), ...toolchains, HOME: own ?? '/tmp', ...network.env },
      }
    },
  }
}

// Variables that name places which are hidden or different inside; programs find the usual ones in their home.
const OUTSIDE = /^(XDG_.*|TMPDIR|GIT_CONFIG_(GLOBAL|SYSTEM)|(HTTPS?|ALL|NO)_PROXY|(https?|all|no)_proxy)$/

function insideOnly(env: Enclosing['env']): Enclosure['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OUTSIDE.test(name)))
}
