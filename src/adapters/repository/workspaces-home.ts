import { createHash } from 'node:crypto'
import { existsSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Problem } from '../../core/model/problem.ts'
import { fileProblem } from '../../git/git-problem.ts'

/** Names the folder for a repository's workspaces: readable and unique, and short because every workspace path starts with it. */
export function workspacesHomeOf(gitDir: string, home: string): string {
  const real = realpathSync(gitDir)
  const folder = basename(real) === '.git' ? basename(dirname(real)) : basename(real)
  const readable = folder.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, READABLE_LENGTH_MAX)
  return join(home, `${readable}-${createHash('sha256').update(real).digest('hex').slice(0, DIGEST_LENGTH)}`)
}

const READABLE_LENGTH_MAX = 24
const DIGEST_LENGTH = 8

/** Name of the folder with package caches beside the workspaces. */
export const CACHES = '.caches'

/** Renames the workspaces of an earlier repository at the same path: they are kept for the user and never reused. */
export function setAside(workspacesHome: string): Problem | null {
  try {
    // Checks that ran before the first task leave caches, and folders without files.
    if (existsSync(workspacesHome) && !holdsFiles(workspacesHome, CACHES)) rmSync(workspacesHome, { recursive: true })
    for (let number = 1; existsSync(workspacesHome); number += 1) {
      const aside = `${workspacesHome}.before-${number}`
      if (!existsSync(aside)) renameSync(workspacesHome, aside)
    }
    return null
  } catch (cause) {
    return fileProblem(workspacesHome, cause)
  }
}

function holdsFiles(folder: string, except?: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    return entry.name !== except && (!entry.isDirectory() || holdsFiles(join(folder, entry.name)))
  })
}
