import { jsonEntry, section } from './excerpts.ts'
import { foldersUp, joined } from './paths.ts'
import type { PlaceUse } from './place.ts'
import type { Trail } from './trail.ts'

/** Guards the settings that choose which code of Python is measured, and how much must be covered. */
export function guardPythonCoverage(folder: string, trail: Trail): void {
  const use: PlaceUse = { reader: 'coverage', ifNew: 'finding' }
  for (const at of foldersUp(folder)) {
    trail.file(joined(at, '.coveragerc'), use)
    for (const [file, heading] of SECTIONS)
      trail.excerpt(joined(at, file), 'the settings of coverage', section(heading), use)
  }
}

/** Guards the settings of c8 and nyc. */
export function guardNodeCoverage(program: string, folder: string, trail: Trail): void {
  const use: PlaceUse = { reader: program, ifNew: 'finding' }
  for (const at of foldersUp(folder)) {
    for (const name of NODE_FILES) trail.file(joined(at, name), use)
    for (const key of ['c8', 'nyc']) trail.excerpt(joined(at, 'package.json'), key, jsonEntry(key), use)
  }
}

const SECTIONS: readonly (readonly [file: string, heading: RegExp])[] = [
  ['pyproject.toml', /^\[tool\.coverage\b/],
  ['setup.cfg', /^\[coverage:/],
  ['tox.ini', /^\[coverage:/],
]
const NODE_FILES = ['c8', 'nyc'].flatMap((name) =>
  ['', '.json', '.yml', '.yaml', '.js', '.cjs'].map((end) => `.${name}rc${end}`),
)
