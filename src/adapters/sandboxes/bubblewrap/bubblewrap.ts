import { mkdirSync } from 'node:fs'
import { toolchainVariables } from '../../../core/sandbox/toolchains.ts'
import { viewOf } from '../../../core/sandbox/view.ts'
import type { Enclosing, Enclosure, Sandbox } from '../../../ports/sandbox.ts'
import type { Listener } from '../../../process/start/listeners.ts'
import { bwrapOptions } from './bwrap-options.ts'
import { makeOwnPlaces, type OwnPlaces } from './own-places.ts'
import { findPlaces, type Surroundings } from './places.ts'

/** Options of the sandbox. */
export interface BubblewrapOptions extends Surroundings {
  /** The program bwrap. */
  readonly file: string
  /** Returns the places that a program shares with others of its workspace; null for none that are kept. */
  readonly ownPlacesOf: (order: Enclosing) => OwnPlaces | null
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
  const { file, settings, ownPlacesOf, networkOf } = options
  const { level } = settings
  const places = findPlaces(options)
  const toolchains = toolchainVariables(options.home, options.environment, places.shown)
  return {
    protection: { kind: 'sandbox', level },
    enclose(order) {
      const { folder, env, reads = [], writes = [] } = order
      if (level === 'trusted')
        return { containment: { kind: 'bwrap', file, options: bwrapOptions(level, null), listeners: [] }, env }
      const own = ownPlacesOf(order)
      const ownPlaces = own === null ? NO_HOME : makeOwnPlaces(own)
      for (const path of [folder, ...writes]) mkdirSync(path, { recursive: true, mode: 0o700 })
      const writable = [...places.writable, folder, ...ownPlaces.writes, ...writes]
      const view = viewOf(level, { ...places, shown: [...places.shown, ...reads], writable })
      const network = networkOf(order)
      return {
        containment: { kind: 'bwrap', file, options: bwrapOptions(level, view), listeners: network.listeners },
        env: { ...insideOnly(env), ...toolchains, ...ownPlaces.env, ...network.env },
      }
    },
  }
}

const NO_HOME = { writes: [], env: { HOME: '/tmp' } }

// Variables that name places which are hidden or different inside; programs find the usual ones in their home.
const OUTSIDE = /^(XDG_.*|TMPDIR|GIT_CONFIG_(GLOBAL|SYSTEM)|(HTTPS?|ALL|NO)_PROXY|(https?|all|no)_proxy)$/

function insideOnly(env: Enclosing['env']): Enclosure['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OUTSIDE.test(name)))
}
