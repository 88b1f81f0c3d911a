/** What a repository is made with, and what follows from it for its settings. */
export interface Stack {
  readonly name: 'node' | 'python' | 'go' | 'rust'
  readonly setup: readonly string[]
  readonly gates: readonly SuggestedGate[]
}

export interface SuggestedGate {
  readonly name: string
  readonly run: string
  readonly protect: readonly string[]
}

/** The stacks that a repository's files show; `packageJson` is the text of its package.json, where there is one. */
export function findStacks(files: readonly string[], packageJson: string | null): readonly Stack[] {
  const has = (name: string) => files.includes(name)
  return [nodeStack(has, packageJson), pythonStack(has), goStack(has), rustStack(has)].filter((stack) => stack !== null)
}

type Has = (name: string) => boolean

const NODE_INSTALLS: readonly (readonly [lock: string, command: string])[] = [
  ['package-lock.json', 'npm ci'],
  ['npm-shrinkwrap.json', 'npm ci'],
  ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
  ['yarn.lock', 'yarn install --frozen-lockfile'],
  ['bun.lock', 'bun install --frozen-lockfile'],
  ['bun.lockb', 'bun install --frozen-lockfile'],
]
const NODE_TESTS = ['test/**', 'tests/**', '**/*.test.*', '**/*.spec.*']
const NODE_GATES: readonly (readonly [script: string, name: string])[] = [
  ['test', 'tests'],
  ['lint', 'lint'],
  ['typecheck', 'types'],
  ['build', 'build'],
]

function nodeStack(has: Has, packageJson: string | null): Stack | null {
  const pack = packageJson === null ? null : parsedPackage(packageJson)
  if (pack === null) return null
  const install = NODE_INSTALLS.find(([lock]) => has(lock))?.[1] ?? (pack.hasDependencies ? 'npm install' : null)
  const runner = install?.split(' ')[0] ?? 'npm'
  // "bun test" is bun's own, not the script.
  const runOf = (script: string) =>
    script === 'test' && runner !== 'bun' ? `${runner} test` : `${runner} run ${script}`
  const gates = NODE_GATES.filter(([script]) => isRealScript(pack.scripts[script])).map(([script, name]) => {
    return { name, run: runOf(script), protect: script === 'test' ? NODE_TESTS : [] }
  })
  return { name: 'node', setup: install === null ? [] : [install], gates }
}

interface Package {
  readonly scripts: Readonly<Record<string, unknown>>
  readonly hasDependencies: boolean
}

function parsedPackage(text: string): Package {
  try {
    const { scripts, dependencies, devDependencies } = JSON.parse(text)
    return { scripts: scripts ?? {}, hasDependencies: Object.keys({ ...dependencies, ...devDependencies }).length > 0 }
  } catch {
    // A package.json that npm cannot read either says nothing about the project.
    return { scripts: {}, hasDependencies: false }
  }
}

// "npm init" writes a test that always fails.
function isRealScript(script: unknown): boolean {
  return typeof script === 'string' && script !== '' && !script.includes('no test specified')
}

function pythonStack(has: Has): Stack | null {
  const protect = ['test/**', 'tests/**', '**/test_*.py', '**/conftest.py']
  const stack = (setup: readonly string[], run: string): Stack => {
    return { name: 'python', setup, gates: [{ name: 'tests', run, protect }] }
  }
  if (has('uv.lock')) return stack(['uv sync'], 'uv run pytest')
  if (has('poetry.lock')) return stack(['poetry install'], 'poetry run pytest')
  const install = has('requirements.txt') ? '-r requirements.txt' : '-e .'
  if (!['requirements.txt', 'pyproject.toml', 'setup.py'].some(has)) return null
  return stack(['python3 -m venv .venv', `.venv/bin/pip install ${install} pytest`], '.venv/bin/python -m pytest')
}

function goStack(has: Has): Stack | null {
  if (!has('go.mod')) return null
  const gates = [
    { name: 'tests', run: 'go test ./...', protect: ['**/*_test.go'] },
    { name: 'vet', run: 'go vet ./...', protect: [] },
  ]
  return { name: 'go', setup: [], gates }
}

function rustStack(has: Has): Stack | null {
  if (!has('Cargo.toml')) return null
  return { name: 'rust', setup: [], gates: [{ name: 'tests', run: 'cargo test', protect: ['tests/**'] }] }
}
