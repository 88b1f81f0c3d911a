import type { Purpose } from './view.ts'

/** Names of the package caches of a repository. */
export type CacheName = 'setup' | 'work'

/**
 * Returns the package cache that a program shares with those of other workspaces; null when it has one of its own.
 *
 * Setup fills the folders that checks rely on, so it shares nothing with agents, nor with hooks and checks, which run what
 * agents wrote.
 */
export function cacheFor(purpose: Purpose): CacheName | null {
  switch (purpose) {
    case 'setup':
      return 'setup'
    case 'agent':
    case 'hook':
      return 'work'
    case 'check':
    case 'git':
      return null
  }
}
