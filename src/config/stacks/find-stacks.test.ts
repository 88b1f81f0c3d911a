import { describe, expect, test } from 'vitest'
import { findStacks, usualStack } from './find-stacks.ts'
import { STACK_NAMES } from './stack.ts'

const REPORTS = {
  vitest: '--reporter=default --reporter=json --outputFile.json="$LONGHAUL_TEST_REPORT"',
  jest: '--json --outputFile="$LONGHAUL_TEST_REPORT"',
  node: '--test-reporter=spec --test-reporter-destination=stdout --test-reporter=tap --test-reporter-destination="$LONGHAUL_TEST_REPORT"',
  pytest: '--junitxml="$LONGHAUL_TEST_REPORT" -o junit_family=xunit1',
}

const NODE_TESTS = ['test/**', 'tests/**', '**/*.test.*', '**/*.spec.*']
const PACKAGE = JSON.stringify({
  scripts: { test: 'vitest', lint: 'biome', build: 'tsc', start: 'node .' },
  devDependencies: { vitest: '4' },
})
const TESTED = '{ "scripts": { "test": "node --test" } }'
const ROOT = '{ "workspaces": ["packages/*"] }'

type Files = Readonly<Record<string, string>>
type Expected = readonly [files: Files, setup: readonly string[], gates: readonly (readonly [string, string])[]]

describe('a node project', () => {
  const cases: readonly Expected[] = [
    [{ 'package.json': TESTED }, [], [['tests', `npm test -- ${REPORTS.node}`]]],
    [
      { 'package.json': PACKAGE, 'package-lock.json': '' },
      ['npm ci'],
      [
        ['tests', `npm test -- ${REPORTS.vitest}`],
        ['lint', 'npm run lint'],
        ['build', 'npm run build'],
      ],
    ],
    [
      { 'package.json': TESTED, 'pnpm-lock.yaml': '' },
      ['pnpm install --frozen-lockfile'],
      [['tests', `pnpm test ${REPORTS.node}`]],
    ],
    [
      { 'package.json': TESTED, 'yarn.lock': '' },
      ['yarn install --frozen-lockfile'],
      [['tests', `yarn test ${REPORTS.node}`]],
    ],
    [
      { 'package.json': TESTED, 'yarn.lock': '', '.yarnrc.yml': '' },
      ['yarn install --immutable'],
      [['tests', `yarn test ${REPORTS.node}`]],
    ],
    [
      { 'package.json': TESTED, 'bun.lock': '' },
      ['bun install --frozen-lockfile'],
      [['tests', `bun run test ${REPORTS.node}`]],
    ],
    [
      {
        'package.json': '{ "packageManager": "pnpm@9.1.0", "dependencies": { "a": "1" }, "scripts": { "test": "x" } }',
      },
      ['pnpm install'],
      [['tests', 'pnpm test']],
    ],
    [
      {
        'package.json':
          '{ "scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" }, "dependencies": { "a": "1" } }',
      },
      ['npm install'],
      [],
    ],
    [{ 'package.json': 'not JSON' }, [], []],
  ]
  test.each(cases)('%j', (files, setup, gates) => {
    expect(needsOf(files)).toEqual([setup, gates])
  })

  test('protects its tests', () => {
    expect(find({ 'package.json': TESTED })[0]?.gates).toEqual([
      { name: 'tests', run: `npm test -- ${REPORTS.node}`, protect: NODE_TESTS },
    ])
  })
})

describe('a test script', () => {
  const gateFor = (script: string) =>
    find({ 'package.json': JSON.stringify({ scripts: { test: script } }) })[0]?.gates[0]?.run

  test.each([
    ['vitest', REPORTS.vitest],
    ['vitest run --coverage', REPORTS.vitest],
    ['npx vitest run src', REPORTS.vitest],
    ['jest', REPORTS.jest],
    ['NODE_OPTIONS=--experimental-vm-modules jest --ci', REPORTS.jest],
    ['cross-env TZ=UTC jest', REPORTS.jest],
    ['node --test', REPORTS.node],
    ['node --import tsx --test', REPORTS.node],
  ])('%s also writes a report', (script, flags) => {
    expect(gateFor(script)).toBe(`npm test -- ${flags}`)
  })

  test.each([
    'tsc && vitest run',
    'vitest run | tee log',
    'vitest run --reporter=dot',
    'vitest bench',
    'vitest run --',
    'jest --json',
    "jest --testPathPattern 'a b'",
    'node --test test/',
    'node --import tsx --test test/sum.test.ts',
    'node test.js',
    'mocha',
    'tape test/sum.js',
    'react-scripts test',
    'npm run unit',
    'my-vitest',
  ])('%s stays as it is', (script) => {
    expect(gateFor(script)).toBe('npm test')
  })
})

describe('a workspace of packages is checked from its root', () => {
  const members = { 'packages/a/package.json': TESTED, 'packages/b/package.json': '{}' }
  const cases: readonly Expected[] = [
    [
      { 'package.json': ROOT, 'package-lock.json': '', ...members },
      ['npm ci'],
      [['tests', 'npm run test --workspaces --if-present']],
    ],
    [
      { 'package.json': '{}', 'pnpm-workspace.yaml': '', 'pnpm-lock.yaml': '', ...members },
      ['pnpm install --frozen-lockfile'],
      [['tests', 'pnpm --recursive run --if-present test']],
    ],
    [
      { 'package.json': '{ "workspaces": ["a"], "scripts": { "test": "turbo test" } }', ...members },
      ['npm install'],
      [['tests', 'npm test']],
    ],
    [{ 'package.json': ROOT, 'packages/b/package.json': '{}' }, ['npm install'], []],
    [{ 'Cargo.toml': '[workspace]\nmembers = ["a"]', 'a/Cargo.toml': '' }, [], [['tests', 'cargo test --workspace']]],
  ]
  test.each(cases)('%j', (files, setup, gates) => {
    expect(needsOf(files)).toEqual([setup, gates])
  })
})

describe('a python project', () => {
  const venv = 'python3 -m venv .venv'
  const cases: readonly Expected[] = [
    [
      { 'uv.lock': '', 'pyproject.toml': '' },
      ['uv sync --locked'],
      [['tests', `uv run python -m pytest ${REPORTS.pytest}`]],
    ],
    [{ 'poetry.lock': '' }, ['poetry install'], [['tests', `poetry run python -m pytest ${REPORTS.pytest}`]]],
    [{ 'pdm.lock': '' }, ['pdm sync'], [['tests', `pdm run python -m pytest ${REPORTS.pytest}`]]],
    [{ 'Pipfile.lock': '' }, ['pipenv sync --dev'], [['tests', `pipenv run python -m pytest ${REPORTS.pytest}`]]],
    [
      { 'requirements.txt': '', 'requirements-dev.txt': '' },
      [venv, '.venv/bin/pip install -r requirements.txt -r requirements-dev.txt pytest'],
      [['tests', `.venv/bin/python -m pytest ${REPORTS.pytest}`]],
    ],
    [
      { 'setup.py': '' },
      [venv, '.venv/bin/pip install -e . pytest'],
      [['tests', `.venv/bin/python -m pytest ${REPORTS.pytest}`]],
    ],
    [{ 'uv.lock': '', 'manage.py': '' }, ['uv sync --locked'], [['tests', 'uv run python manage.py test']]],
    [
      { 'uv.lock': '', 'pytest.ini': '[pytest]\naddopts = -p no:junitxml' },
      ['uv sync --locked'],
      [['tests', 'uv run python -m pytest']],
    ],
    [
      { 'uv.lock': '', 'manage.py': '', 'pyproject.toml': '[tool.pytest.ini_options]' },
      ['uv sync --locked'],
      [['tests', `uv run python -m pytest ${REPORTS.pytest}`]],
    ],
  ]
  test.each(cases)('%j', (files, setup, gates) => {
    expect(needsOf(files)).toEqual([setup, gates])
  })
})

describe('several stacks', () => {
  test('at the root have gates named after them', () => {
    expect(needsOf({ 'go.mod': '', 'Cargo.toml': '' })[1]).toEqual([
      ['go-tests', 'go test -json ./...'],
      ['go-vet', 'go vet ./...'],
      ['rust-tests', 'cargo test'],
    ])
  })

  test('in folders are checked there, and protected there', () => {
    const stacks = find({
      'web app/package.json': TESTED,
      'web app/package-lock.json': '',
      'services/api/go.mod': '',
      'services/api/internal/go.mod': '',
    })
    expect(stacks).toEqual([
      {
        name: 'node',
        folder: 'web app',
        setup: ["cd 'web app' && npm ci"],
        gates: [
          {
            name: 'web app-tests',
            run: `cd 'web app' && npm test -- ${REPORTS.node}`,
            protect: NODE_TESTS.map((glob) => `web app/${glob}`),
          },
        ],
      },
      {
        name: 'go',
        folder: 'services/api',
        setup: [],
        gates: [
          {
            name: 'services-api-tests',
            run: 'cd services/api && go test -json ./...',
            protect: ['services/api/**/*_test.go'],
          },
          { name: 'services-api-vet', run: 'cd services/api && go vet ./...', protect: [] },
        ],
      },
    ])
  })

  test('in one folder have different gate names', () => {
    const names = find({ 'package.json': TESTED, 'api/go.mod': '', 'api/uv.lock': '' }).flatMap(({ gates }) => gates)
    expect(names.map(({ name }) => name)).toEqual(['node-tests', 'api-python-tests', 'api-go-tests', 'api-go-vet'])
  })
})

test('no stack is detected without its files', () => {
  expect(find({ 'README.md': '', 'docs/go.md': '' })).toEqual([])
})

test.each(STACK_NAMES)('a %s project that does not exist yet gets the usual setup and gates', (name) => {
  expect(usualStack(name)).toMatchObject({
    name,
    folder: '',
    gates: [{ name: 'tests' }, ...(name === 'go' ? [{}] : [])],
  })
})

function find(files: Files) {
  return findStacks({ files: Object.keys(files), text: (file) => files[file] ?? null })
}

function needsOf(files: Files) {
  const stacks = find(files)
  const gates = stacks.flatMap((stack) => stack.gates.map(({ name, run }) => [name, run]))
  return [stacks.flatMap(({ setup }) => setup), gates]
}
