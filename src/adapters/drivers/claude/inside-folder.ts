import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, isAbsolute, join, normalize, sep } from 'node:path'

/** True when a path is inside a folder after following links; the path need not exist. */
export function isInsideFolder(path: string, folder: string): boolean {
  const absolute = isAbsolute(path) ? path : `${folder}${sep}${path}`
  const root = resolveLinks(folder)
  // The system and programs that normalize paths first resolve "link/.." differently: both must be inside.
  return [absolute, normalize(absolute)].every((variant) => isWithin(resolveLinks(variant), root))
}

/** Follows all links in a path; missing parts stay as written. */
export function resolveLinks(path: string): string {
  let resolved: string = sep
  const remaining = path.split(sep).reverse()
  for (let links = 0; remaining.length > 0; ) {
    const name = remaining.pop() ?? ''
    if (name === '' || name === '.') continue
    if (name === '..') {
      resolved = dirname(resolved)
      continue
    }
    const next = join(resolved, name)
    const target = linkTarget(next)
    if (target === null) {
      resolved = next
      continue
    }
    links += 1
    // A cycle of links cannot be opened by any program.
    if (links > LINKS_MAX) return next
    if (isAbsolute(target)) resolved = sep
    remaining.push(...target.split(sep).reverse())
  }
  return resolved
}

const LINKS_MAX = 40

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

function linkTarget(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null
  } catch {
    return null // missing or not readable: the tool itself will fail
  }
}
