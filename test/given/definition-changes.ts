import { expect, test } from 'vitest'
import { compareProjects, type ProjectFiles } from './definitions.ts'

/** Returns a package.json with scripts. */
export function manifest(scripts: Readonly<Record<string, string>>, more: object = {}): string {
  return JSON.stringify({ scripts, ...more })
}

/** Project with a test script and a test. */
export function project(script: string, files: ProjectFiles = {}): ProjectFiles {
  return { 'package.json': manifest({ test: script }), 'sum.js': 'a', 'sum.test.js': 'a test', ...files }
}

export const TRUE = { 'package.json': manifest({ test: 'true' }) }
export const SCRIPT_GONE = 'scripts.test in package.json was "vitest run" and is "true"'
export const WORKSPACE = {
  'package.json': manifest({ test: 'npm test --workspaces' }, { workspaces: ['packages/*'] }),
  'packages/p/package.json': manifest({ test: 'vitest run' }, { name: 'p' }),
  'packages/p/p.test.js': 'a test',
  'packages/q/package.json': manifest({ test: 'vitest run' }, { name: '@x/q' }),
}
export const MEMBER_TRUE = { 'packages/p/package.json': manifest({ test: 'true' }, { name: 'p' }) }
export const MEMBER_GONE = 'scripts.test in packages/p/package.json was "vitest run" and is "true"'
export const MAKEFILE = 'V = 1\nRUN = ./check.sh\ncheck: build\n\t@$(RUN)\nbuild:\n\techo build\nother:\n\techo other\n'
export const PYPROJECT = '[project]\nname = "x"\n[tool.pytest.ini_options]\naddopts = "-q"\n# a remark\n[tool.ruff]\n'
export const PY = { 'test_a.py': 'def test_a(): pass', 'a.py': '' }

/** Change of a project, and the words that report it as a weakened check; a null removes a file. */
export type WeakeningRow = readonly [
  name: string,
  command: string,
  before: ProjectFiles,
  change: Readonly<Record<string, string | null>>,
  what: string | readonly string[],
]

/** Change of a project that needs no approval. */
export type HonestRow = readonly [name: string, command: string, before: ProjectFiles, change: ProjectFiles]

/** Tests that changes are reported, each in its words. */
export function testWeakened(rows: readonly WeakeningRow[]): void {
  test.each(rows)('%s: %s', (_, command, before, change, what) => {
    const { changes } = compareProjects(command, before, changed(before, change))
    const expected = typeof what === 'string' ? [what] : what
    expect(changes.map((one) => one.what)).toEqual(expected)
  })
}

/** Tests that changes are not reported. */
export function testHonest(rows: readonly HonestRow[]): void {
  test.each(rows)('%s: %s', (_, command, before, change) => {
    expect(compareProjects(command, before, changed(before, change)).changes).toEqual([])
  })
}

function changed(before: ProjectFiles, change: Readonly<Record<string, string | null>>): ProjectFiles {
  const files = Object.entries({ ...before, ...change })
  return Object.fromEntries(files.flatMap(([path, text]) => (text === null ? [] : [[path, text]])))
}

export function lock(version: string, integrity: string, more: object = {}): string {
  return JSON.stringify({ packages: { 'node_modules/vitest': { version, integrity, dev: true }, ...more } })
}

export function pnpmLock(integrity: string): string {
  return `packages:\n\n  vite@7.0.0:\n    resolution: {integrity: v}\n\n  vitest@4.0.0:\n    resolution: {integrity: ${integrity}}\n    engines: {node: '>=20'}\n`
}

export function yarnLock(integrity: string): string {
  return `# yarn lockfile v1\n\nvitest@^4.0.0:\n  version "4.0.0"\n  integrity ${integrity}\n  dependencies:\n    vite "^7"\n`
}
