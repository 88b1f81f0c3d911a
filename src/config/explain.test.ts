import { describe, expect, test } from 'vitest'
import { exampleSettings } from './explain.ts'
import { findStacks } from './find-stack.ts'
import { loadSettings } from './load.ts'

const PACKAGE = JSON.stringify({
  scripts: { test: 'vitest', lint: 'biome', build: 'tsc', start: 'node .' },
  devDependencies: { vitest: '4' },
})
const NODE_TESTS = ['test/**', 'tests/**', '**/*.test.*', '**/*.spec.*']
const PYTHON_TESTS = ['test/**', 'tests/**', '**/test_*.py', '**/conftest.py']

type Found = readonly [
  files: readonly string[],
  pack: string | null,
  setup: string[],
  gates: [string, string, string[]?][],
]

const CASES: readonly Found[] = [
  [[], null, [], []],
  [
    ['package.json', 'package-lock.json'],
    PACKAGE,
    ['npm ci'],
    [
      ['tests', 'npm test', NODE_TESTS],
      ['lint', 'npm run lint'],
      ['build', 'npm run build'],
    ],
  ],
  [
    ['package.json', 'bun.lock'],
    PACKAGE,
    ['bun install --frozen-lockfile'],
    [
      ['tests', 'bun run test', NODE_TESTS],
      ['lint', 'bun run lint'],
      ['build', 'bun run build'],
    ],
  ],
  [['package.json'], '{ "scripts": { "test": "node --test" } }', [], [['tests', 'npm test', NODE_TESTS]]],
  [
    ['package.json'],
    '{ "scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" }, "dependencies": { "a": "1" } }',
    ['npm install'],
    [],
  ],
  [['package.json'], 'not JSON', [], []],
  [['uv.lock', 'pyproject.toml'], null, ['uv sync'], [['tests', 'uv run pytest', PYTHON_TESTS]]],
  [['poetry.lock'], null, ['poetry install'], [['tests', 'poetry run pytest', PYTHON_TESTS]]],
  [
    ['requirements.txt'],
    null,
    ['python3 -m venv .venv', '.venv/bin/pip install -r requirements.txt pytest'],
    [['tests', '.venv/bin/python -m pytest', PYTHON_TESTS]],
  ],
  [
    ['setup.py'],
    null,
    ['python3 -m venv .venv', '.venv/bin/pip install -e . pytest'],
    [['tests', '.venv/bin/python -m pytest', PYTHON_TESTS]],
  ],
  [
    ['go.mod', 'Cargo.toml'],
    null,
    [],
    [
      ['go-tests', 'go test ./...', ['**/*_test.go']],
      ['go-vet', 'go vet ./...'],
      ['rust-tests', 'cargo test', ['tests/**']],
    ],
  ],
]

describe('example settings', () => {
  test.each(CASES)('for %j %j are settings, with the setup and the gates found', (files, pack, setup, gates) => {
    const text = exampleSettings(findStacks(files, pack))
    expect(loadSettings({ file: 'longhaul.yaml', text })).toMatchObject({
      agent: { driver: 'scripted', script: 'script.yaml' },
      workspace: { setup },
      gates: gates.length === 0 ? null : gates.map(([name, run, protect = []]) => ({ name, run, protect })),
    })
  })

  test('can be taken out of their comments', () => {
    const text = exampleSettings([]).replaceAll(/^( *)# ((target|gates|workspace|env):| {2})/gm, '$1$2')
    expect(loadSettings({ file: 'longhaul.yaml', text })).toMatchObject({
      target: 'main',
      agent: { env: { SOME_KEY: '$SOME_KEY' } },
      gates: [{ name: 'tests', run: 'make test', protect: ['test/**'] }],
      workspace: { setup: ['make deps'] },
    })
  })
})
