import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const DEPTH_MAX = 2
const FILES_MAX = 5_000
// Other people's code, what was built, and what only looks like a project.
const PASSED_OVER = new Set(
  'node_modules vendor target dist build out venv env __pycache__ fixtures testdata examples third_party'.split(' '),
)

/** The files of a project by their way from its root, as far down as parts of it usually lie. */
export async function filesForStacks(root: string): Promise<readonly string[]> {
  const found: string[] = []
  const open = [{ way: '', depth: 0 }]
  for (let at = open.shift(); at !== undefined && found.length < FILES_MAX; at = open.shift()) {
    const entries = await readdir(join(root, at.way), { withFileTypes: true }).catch(() => []) // closed to us
    for (const entry of entries) {
      const way = at.way === '' ? entry.name : `${at.way}/${entry.name}`
      const isOpen = at.depth < DEPTH_MAX && !entry.name.startsWith('.') && !PASSED_OVER.has(entry.name)
      if (entry.isFile()) found.push(way)
      else if (entry.isDirectory() && isOpen) open.push({ way, depth: at.depth + 1 })
    }
  }
  return found
}
