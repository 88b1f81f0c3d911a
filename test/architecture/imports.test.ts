import { isBuiltin } from 'node:module'
import { describe, expect, test } from 'vitest'
import { type Import, parseSource, type Source } from './parse-source.ts'
import { readProgram } from './source.ts'

const ADAPTERS = 'drivers gates judges workspaces landing stores lanes sources sandboxes agent-tools repository'.split(
  ' ',
)

// Floors of the core, lowest first; each row lists the folders that one may import.
const CORE: Record<string, string> = {
  model: '',
  limits: 'model',
  reading: 'model limits',
  'test-output': 'model limits',
  context: 'model limits reading',
  knowledge: 'model limits reading',
  schedule: 'model reading',
  definitions: 'model limits reading',
  checks: 'model limits reading test-output definitions',
  phases: 'model limits',
  sandbox: 'model limits',
  prompts: 'model limits reading test-output phases',
  attempt: 'model limits context checks phases prompts',
  run: 'model limits reading knowledge schedule checks phases prompts attempt',
  tools: 'model knowledge context phases prompts attempt run',
  views: 'model limits test-output context schedule phases prompts attempt run',
}

// Imports that each layer may have besides its own folder. An adapter in a subfolder (drivers/codex) may import its kind's
// loose files and none of its neighbours. "type x": types only. "packages": from npm.
const MAY_IMPORT: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    Object.entries(CORE).map(([floor, below]) => [
      `core/${floor}`,
      below.split(' ').flatMap((name) => (name === '' ? [] : [`core/${name}`])),
    ]),
  ),
  ports: ['core', 'type process/start'],
  engine: ['core', 'ports'],
  package: [],
  files: [],
  'process/end': [],
  'process/start': ['process/end', 'package'],
  'process/shell': ['process/start', 'process/end'],
  git: ['process', 'core'],
  config: ['core', 'package', 'packages'],
  surfaces: ['core', 'type ports', 'engine', 'config', 'forms', 'lab', 'packages'],
  forms: ['core', 'packages'],
  lab: ['core', 'ports', 'forms', 'packages'],
  ...Object.fromEntries(
    ADAPTERS.map((adapter) => [
      `adapters/${adapter}`,
      ['ports', 'core', 'git', 'process', 'package', 'files', 'forms', 'packages'],
    ]),
  ),
}
const MAY_IMPORT_ALL = ['src/main.ts', 'src/registry.ts', 'src/open-tools.ts', 'src/index.ts']
const hasNoBuiltins = (layer: string) => layer === 'ports' || layer.startsWith('core/')

const isEntry = (path: string) => /^src\/(main|index)\.ts$|-main\.ts$/.test(path)
const program = readProgram()

describe('imports', () => {
  test('follow the table', () => {
    expect(program.flatMap(forbiddenImports)).toEqual([])
  })

  test('make no cycle', () => {
    expect(cycles(program)).toEqual([])
  })

  test('reach every file that is not an entry', () => {
    expect(unreached(program)).toEqual([])
  })
})

describe('the scanner notices', () => {
  test.each([
    ['core/run/decide.ts', '../../engine/inbox.ts'],
    ['core/attempt/decide.ts', '../run/state.ts'],
    ['core/model/settings.ts', '../limits/prices.ts'],
    ['core/novel/thing.ts', '../model/ids.ts'],
    ['core/run/decide.ts', 'zod'],
    ['core/run/decide.ts', 'node:path'],
    ['ports/store.ts', '../adapters/stores/memory.ts'],
    ['ports/store.ts', 'node:fs'],
    ['engine/perform.ts', '../adapters/drivers/scripted/driver.ts'],
    ['engine/perform.ts', '../registry.ts'],
    ['adapters/drivers/codex/driver.ts', '../claude/driver.ts'],
    ['adapters/drivers/codex/driver.ts', '../../stores/memory.ts'],
    ['adapters/gates/command.ts', '../../engine/inbox.ts'],
    ['adapters/gates/command.ts', '../../config/load.ts'],
    ['git/merge.ts', '../ports/landing.ts'],
    ['process/start/spawn.ts', '../../core/run/decide.ts'],
    ['process/end/guard.ts', '../start/launch.ts'],
    ['config/load.ts', '../engine/inbox.ts'],
    ['surfaces/cli/run.ts', '../../ports/store.ts'],
    ['lab/server.ts', '../adapters/drivers/claude/driver.ts'],
    ['novel/thing.ts', '../core/model/ids.ts'],
  ])('%s importing %s', (path, from) => {
    const [message] = forbiddenImports(parseSource(`src/${path}`, `import { a } from '${from}'`))
    expect(message).toMatch(`src/${path} may not import `)
  })

  test.each([
    ['core/run/decide.ts', '../model/ids.ts'],
    ['adapters/drivers/codex/driver.ts', '../start-agent.ts'],
    ['adapters/drivers/codex/driver.ts', './wire.ts'],
    ['adapters/drivers/codex/driver.ts', 'zod'],
    ['git/merge.ts', '../process/start/spawn.ts'],
    ['process/start/spawn.ts', '../end/guard.ts'],
    ['process/start/spawn.ts', 'node:fs'],
    ['main.ts', './registry.ts'],
  ])('nothing wrong with %s importing %s', (path, from) => {
    expect(forbiddenImports(parseSource(`src/${path}`, `import { a } from '${from}'`))).toEqual([])
  })

  test('imports of every form', () => {
    const forms = [
      "import '../../git/a.ts'",
      "export * from '../../git/a.ts'",
      "export { a } from '../../git/a.ts'",
      "const a = await import('../../git/a.ts')",
      "type A = import('../../git/a.ts').A",
      "import type { A } from '../../git/a.ts'",
    ]
    expect(forms.filter((form) => forbiddenImports(parseSource('src/core/run/a.ts', form)).length === 0)).toEqual([])
  })

  test('types only, where only types are allowed', () => {
    const forms = ["import type { A } from '../ports/a.ts'", "import { type A } from '../ports/a.ts'"]
    expect(forms.flatMap((form) => forbiddenImports(parseSource('src/surfaces/a.ts', form)))).toEqual([])
  })

  test('a cycle, with its path', () => {
    const a = parseSource('src/core/a.ts', "import './b.ts'")
    const b = parseSource('src/core/b.ts', "import type { C } from './c.ts'")
    const c = parseSource('src/core/c.ts', "import './a.ts'")
    expect(cycles([a, b, c])).toEqual(['src/core/a.ts → src/core/b.ts → src/core/c.ts → src/core/a.ts'])
    expect(cycles([a, b])).toEqual([])
  })

  test('a file that nothing imports', () => {
    const main = parseSource('src/main.ts', "import './core/a.ts'")
    const lost = parseSource('src/core/lost.ts', "import './lost.ts'")
    expect(unreached([main, parseSource('src/core/a.ts', ''), lost])).toEqual(['src/core/lost.ts'])
  })
})

function forbiddenImports(source: Source): string[] {
  return source.imports
    .filter((imported) => !mayImport(source.path, imported))
    .map(({ to }) => `${source.path} may not import ${to}`)
}

function mayImport(path: string, imported: Import): boolean {
  if (MAY_IMPORT_ALL.includes(path)) return true
  const layer = layerOf(path)
  const allowed = MAY_IMPORT[layer]
  if (!allowed) return false
  if (isBuiltin(imported.to)) return !hasNoBuiltins(layer)
  if (!imported.isOurs) return allowed.includes('packages')
  if (layerOf(imported.to) === layer) return !layer.startsWith('adapters/') || isSameAdapter(path, imported.to)
  return allowed.some((entry) => {
    if (entry.startsWith('type ') && !imported.isTypeOnly) return false
    return imported.to.startsWith(`src/${entry.replace('type ', '')}/`)
  })
}

function isSameAdapter(path: string, to: string): boolean {
  const [ours, theirs] = [path, to].map((file) => file.split('/').slice(3, -1)[0])
  return theirs === undefined || ours === undefined || ours === theirs
}

/** Names the row of the table that a file belongs to: its folder in src, or the folder below core, adapters and process. */
function layerOf(path: string): string {
  const [, folder = '', inside = ''] = path.split('/')
  return ['core', 'adapters', 'process'].includes(folder) ? `${folder}/${inside}` : folder
}

function cycles(sources: readonly Source[]): string[] {
  const edges = new Map(sources.map(({ path, imports }) => [path, imports.map(({ to }) => to)]))
  const finished = new Set<string>()
  const search = (path: string, trail: readonly string[]): string[] => {
    const start = trail.indexOf(path)
    if (start >= 0) return [[...trail.slice(start), path].join(' → ')]
    if (finished.has(path)) return []
    const cyclesBelow = (edges.get(path) ?? []).flatMap((to) => search(to, [...trail, path]))
    finished.add(path)
    return cyclesBelow
  }
  return sources.flatMap(({ path }) => search(path, []))
}

function unreached(sources: readonly Source[]): string[] {
  const reached = new Set(
    sources.flatMap(({ path, imports }) => imports.map(({ to }) => to).filter((to) => to !== path)),
  )
  return sources.map(({ path }) => path).filter((path) => !reached.has(path) && !isEntry(path))
}
