import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, isAbsolute, join, normalize, sep } from 'node:path'

/** Whether a path leads into a folder, through whatever links; also where it does not exist yet. */
export function leadsInside(path: string, folder: string): boolean {
  const whole = isAbsolute(path) ? path : `${folder}${sep}${path}`
  const root = realPlace(folder)
  // "link/.." is one thing for the system and another for programs that tidy paths first: both must be inside.
  return [whole, normalize(whole)].every((way) => isWithin(realPlace(way), root))
}

/** Where a path leads once all links on its way are followed; what is missing is taken as written. */
export function realPlace(path: string): string {
  let place: string = sep
  const ahead = path.split(sep).reverse()
  for (let links = 0; ahead.length > 0; ) {
    const name = ahead.pop() ?? ''
    if (name === '' || name === '.') continue
    if (name === '..') {
      place = dirname(place)
      continue
    }
    const next = join(place, name)
    const target = linkTarget(next)
    if (target === null) {
      place = next
      continue
    }
    links += 1
    // A ring of links leads nowhere; nobody can open it either.
    if (links > LINKS_MAX) return next
    if (isAbsolute(target)) place = sep
    ahead.push(...target.split(sep).reverse())
  }
  return place
}

const LINKS_MAX = 40

function isWithin(place: string, root: string): boolean {
  return place === root || place.startsWith(root.endsWith(sep) ? root : root + sep)
}

function linkTarget(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null
  } catch {
    return null // not there, or not ours to look at: the tool itself will find out
  }
}
