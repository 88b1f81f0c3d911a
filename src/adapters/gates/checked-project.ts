import { lstatSync, readdirSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { type CheckedProject, foldersOf } from '../../core/test-output/place-failures.ts'

/** Describes the folder that a command checks, to find the files that its output names. */
export function checkedProject(folder: string, command: string): CheckedProject {
  const hasFile = (path: string): boolean => isInside(path) && isFile(join(folder, path))
  let packages: readonly string[] | null = null
  return {
    folders: foldersOf(command).filter(isInside),
    hasFile,
    findBelow(file) {
      packages ??= packagesIn(folder)
      const holders = packages.filter((below) => hasFile(`${below}/${file}`))
      return holders.length === 1 ? `${holders[0]}/${file}` : null
    },
  }
}

/** Lists the folders of packages near the root. */
function packagesIn(folder: string): readonly string[] {
  const near = foldersIn(folder, '').flatMap((first) => [first, ...foldersIn(folder, first)])
  return near.filter((below) => MARKS.some((mark) => isFile(join(folder, below, mark))))
}

function foldersIn(folder: string, below: string): readonly string[] {
  try {
    const entries = readdirSync(join(folder, below), { withFileTypes: true })
    const folders = entries.filter((entry) => entry.isDirectory() && !LEFT_OUT.test(entry.name)).slice(0, FOLDERS_MAX)
    return folders.map(({ name }) => (below === '' ? name : `${below}/${name}`))
  } catch {
    return [] // the check removed it
  }
}

function isInside(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !normalize(path).startsWith('..')
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile()
  } catch {
    return false // not there, or no path at all
  }
}

const FOLDERS_MAX = 200
const LEFT_OUT = /^(?:\.|node_modules$|target$|vendor$)/
const MARKS = ['package.json', 'pyproject.toml', 'go.mod', 'Cargo.toml', 'setup.py']
