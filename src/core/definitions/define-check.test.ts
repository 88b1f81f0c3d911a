import { expect, test } from 'vitest'
import { followProject, type ProjectFiles } from '../../../test/given/definitions.ts'

const FILES: ProjectFiles = {
  'package.json': JSON.stringify({ scripts: { test: 'vitest run test/unit', lint: 'eslint src && tsc -p .' } }),
  'vitest.config.ts': "export default { test: { globalSetup: './test/setup.ts' } }",
  'test/setup.ts': '',
  'test/unit/a.test.ts': '',
  'web/package.json': JSON.stringify({ scripts: { test: 'node --test' } }),
}

test.each([
  ['npm test', [{ kind: 'vitest', folder: '', files: ['test/unit'] }]],
  [
    'npm run lint',
    [
      { kind: 'eslint', folder: '', files: ['src'] },
      { kind: 'tsc', folder: '', files: [] },
    ],
  ],
  ['cd web && npm test', [{ kind: 'node-test', folder: 'web', files: [] }]],
  ["timeout 60 node --test 'web/**/*.test.js'", [{ kind: 'node-test', folder: '', files: ['web/**/*.test.js'] }]],
  ['npx jest --ci a.test.js', [{ kind: 'jest', folder: '', files: ['a.test.js'] }]],
  ['uv run pytest tests/test_a.py -q', [{ kind: 'pytest', folder: '', files: ['tests/test_a.py'] }]],
  ['python -m unittest', [{ kind: 'unittest', folder: '', files: [] }]],
  [
    'go test ./... && go vet ./...',
    [
      { kind: 'go-test', folder: '', files: ['./...'] },
      { kind: 'go-vet', folder: '', files: ['./...'] },
    ],
  ],
  ['cargo +nightly test --all', [{ kind: 'cargo-test', folder: '', files: [] }]],
  [
    'ruff check . && mypy src',
    [
      { kind: 'ruff', folder: '', files: [] },
      { kind: 'mypy', folder: '', files: ['src'] },
    ],
  ],
  ['test ! -e red', []],
])('%s comes to its runners', (command, runners) => {
  const files = { ...FILES, 'src/a.ts': '' }
  expect(followProject(command, files).definition.runners).toEqual(runners)
})

test('a definition names its parts, and its digest changes with them', () => {
  const { definition } = followProject('npm test', FILES)
  expect(definition.parts.map(({ what, file }) => [what, file])).toEqual([
    ['its command', null],
    ['scripts.test in package.json', 'package.json'],
    ['vitest.config.ts', 'vitest.config.ts'],
    ['test/setup.ts', 'test/setup.ts'],
  ])
  const again = followProject('npm test', { ...FILES, 'src/a.ts': '' }).definition
  const changed = followProject('npm test', { ...FILES, 'test/setup.ts': 'x' }).definition
  expect([again.digest === definition.digest, changed.digest === definition.digest]).toEqual([true, false])
})

test('scripts that call each other, and files that are missing, end the following', () => {
  const scripts = { test: 'npm run a', a: 'npm run b', b: 'npm test && ./gone.sh && node gone.js' }
  const files = { 'package.json': JSON.stringify({ scripts }) }
  expect(followProject('npm test', files).definition.parts.map(({ what }) => what)).toEqual([
    'its command',
    'scripts.test in package.json',
    'scripts.a in package.json',
    'scripts.b in package.json',
  ])
})
