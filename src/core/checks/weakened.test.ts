import { describe, expect, test } from 'vitest'
import type { Check } from '../model/effect.ts'
import type { Tree } from '../model/ids.ts'
import { filesToRead } from './check-definitions.ts'
import { type Comparison, changedDefinitions, deletedTestFiles, type FileDifference } from './weakened.ts'

function check(run: string, onFail: Check['onFail'] = 'block'): Check {
  return { name: 'tests', run, onFail, timeoutMs: 1, coverage: null }
}

/** Returns the comparison of files before and after. */
function comparison(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): Comparison {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((at) => before[at] !== after[at])
  const kind = (path: string) =>
    before[path] === undefined ? 'added' : after[path] === undefined ? 'deleted' : 'changed'
  const files = paths.map((path): FileDifference => ({ path, kind: kind(path), to: null }))
  const texts = (of: Readonly<Record<string, string>>) => new Map(Object.entries(of))
  return { kind: 'comparison', tree: 't' as Tree, files, before: texts(before), after: texts(after) }
}

function scripts(given: Readonly<Record<string, string>>, more: object = {}): string {
  return JSON.stringify({ scripts: given, ...more })
}

const PYPROJECT = '[project]\nname = "x"\n[tool.pytest.ini_options]\naddopts = "-q"\n# a remark\n[tool.ruff]\n'

describe('a changed definition of a check', () => {
  test.each([
    ['npm test', { 'package.json': scripts({ test: 'jest' }) }, { 'package.json': scripts({ test: 'true' }) }],
    ['npm t', { 'package.json': scripts({ test: 'jest' }) }, { 'package.json': scripts({}) }],
    [
      'CI=1 npm run check -- --all',
      { 'package.json': scripts({ check: 'a' }) },
      { 'package.json': scripts({ check: 'b' }) },
    ],
    ['yarn lint', { 'package.json': scripts({ lint: 'a' }) }, { 'package.json': scripts({ lint: 'b' }) }],
    ['npm test', { 'package.json': scripts({ pretest: 'a', test: 'c' }) }, { 'package.json': scripts({ test: 'c' }) }],
    [
      'cd web && npm test',
      { 'web/package.json': scripts({ test: 'a' }) },
      { 'web/package.json': scripts({ test: 'b' }) },
    ],
    ['npm --prefix web test', { 'web/package.json': scripts({ test: 'a' }) }, { 'web/package.json': '{}' }],
    [
      'npm test',
      { 'package.json': scripts({ test: 'sh t.sh' }), 't.sh': 'a' },
      { 'package.json': scripts({ test: 'sh t.sh' }), 't.sh': 'b' },
    ],
    [
      'npm test',
      { 'package.json': scripts({ test: 'npm run unit', unit: 'a' }) },
      { 'package.json': scripts({ test: 'npm run unit', unit: 'b' }) },
    ],
    [
      'npm test',
      { 'package.json': scripts({ test: 'jest' }, { jest: { bail: 1 } }) },
      { 'package.json': scripts({ test: 'jest' }) },
    ],
    ['make check', { Makefile: 'a' }, { Makefile: 'b' }],
    ['./scripts/check.sh', { 'scripts/check.sh': 'a' }, {}],
    ['python tools/check.py --fast', { 'tools/check.py': 'a' }, { 'tools/check.py': 'b' }],
    ['npx vitest run', { 'vitest.config.ts': 'a' }, { 'vitest.config.ts': 'b' }],
    ['python -m pytest', { 'pyproject.toml': PYPROJECT }, { 'pyproject.toml': PYPROJECT.replace('-q', '-k none') }],
    ['cargo test', { 'Cargo.toml': '[lib]\ntest = true\n' }, { 'Cargo.toml': '[lib]\ntest = false\n' }],
  ])('%s', (run, before, after) => {
    expect(changedDefinitions([check(run)], comparison(before, after))).toMatchObject([
      {
        source: 'checks',
        needsPerson: true,
        message: expect.stringContaining('the definition of the check tests was changed'),
      },
    ])
  })

  test('is reported once with old and new value, and not for checks that only warn', () => {
    const changed = comparison(
      { 'package.json': scripts({ test: 'jest' }) },
      { 'package.json': scripts({ test: 'true' }) },
    )
    const checks = [check('npm test'), check('npm run test'), check('npm test', 'warn')]
    expect(changedDefinitions(checks, changed).map(({ message, file }) => ({ message, file }))).toEqual([
      {
        message:
          'the definition of the check tests was changed: scripts.test in package.json was "jest" and is "true". Restore it: only a person may approve a weaker check.',
        file: 'package.json',
      },
    ])
    expect(changedDefinitions([check('npm test', 'warn')], changed)).toEqual([])
  })
})

test.each([
  [
    'a new dependency',
    'npm test',
    { 'package.json': scripts({ test: 'a' }) },
    { 'package.json': scripts({ test: 'a' }, { dependencies: { x: '1' } }) },
  ],
  [
    'another script',
    'npm test',
    { 'package.json': scripts({ test: 'a' }) },
    { 'package.json': scripts({ test: 'a', dev: 'b' }) },
  ],
  ['a script where there was none', 'npm test', { 'package.json': '{}' }, { 'package.json': scripts({ test: 'a' }) }],
  ['settings where there were none', 'npx vitest', {}, { 'vitest.config.ts': 'a' }],
  ['tests', 'node --test test/a.js', { 'test/a.js': 'a' }, { 'test/a.js': 'b' }],
  [
    'another tool in the same file',
    'pytest',
    { 'pyproject.toml': PYPROJECT },
    { 'pyproject.toml': `${PYPROJECT}line-length = 1\n` },
  ],
  ['a file that no check names', 'test ! -e red', { 'a.sh': 'a' }, { 'a.sh': 'b' }],
])('%s changes no check', (_, run, before, after) => {
  expect(changedDefinitions([check(run)], comparison(before, after))).toEqual([])
})

test('files to read are those in the folders of the commands', () => {
  expect(filesToRead(['npm test'])).toContain('package.json')
  expect(filesToRead(['cd web/app && yarn test'])).toContain('web/app/package.json')
  expect(filesToRead(['npm -C api run x'])).toContain('api/package.json')
})

test('a test file is recognised by name, and a moved one is not deleted', () => {
  const files: readonly FileDifference[] = [
    ...['a.test.ts', 'b_test.go', 'test_c.py', 'tests/d.rs', 'src/e.ts'].map((path) => ({
      path,
      kind: 'deleted' as const,
      to: null,
    })),
    { path: 'f.test.ts', kind: 'renamed', to: 'sub/f.test.ts' },
    { path: 'g.test.ts', kind: 'renamed', to: 'g.ts.bak' },
    { path: 'h.test.ts', kind: 'changed', to: null },
  ]
  const deleted = deletedTestFiles({ ...comparison({}, {}), files })
  expect(deleted).toEqual(['a.test.ts', 'b_test.go', 'test_c.py', 'tests/d.rs', 'g.test.ts'])
})
