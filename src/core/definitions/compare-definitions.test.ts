import { describe } from 'vitest'
import {
  lock,
  MAKEFILE,
  manifest,
  PY,
  PYPROJECT,
  pnpmLock,
  project,
  testHonest,
  WORKSPACE,
  yarnLock,
} from '../../../test/given/definition-changes.ts'

describe('no check is weakened by', () => {
  testHonest([
    [
      'assertions added to a script of tests',
      'node test.js',
      { 'test.js': 'assert(a)\nassert(b)\n' },
      { 'test.js': 'assert(a)\n\nassert(c)\nassert(b)\nassert(d)\n' },
    ],
    ['a phony target', 'make check', { Makefile: MAKEFILE }, { Makefile: `.PHONY: check build\n${MAKEFILE}` }],
    [
      'a file with the name of a phony target',
      'make check',
      { Makefile: `.PHONY: check build\n${MAKEFILE}` },
      { check: '' },
    ],
    ['an empty package around tests', 'pytest', PY, { '__init__.py': '# Sums.\n' }],
    ['settings of coverage that nothing measures', 'pytest', PY, { '.coveragerc': '[run]\n' }],
    [
      'an override with a version',
      'npm test',
      project('vitest run'),
      { 'package.json': manifest({ test: 'vitest run' }, { overrides: { semver: '7.5.2' } }) },
    ],
    [
      'a dependency on a folder',
      'npm test',
      project('vitest run'),
      { 'package.json': manifest({ test: 'vitest run' }, { dependencies: { ours: 'file:../ours' } }) },
    ],
    [
      'a new dependency',
      'npm test',
      project('vitest run', { 'package-lock.json': lock('1', 'a') }),
      {
        'package.json': manifest({ test: 'vitest run' }, { dependencies: { x: '1' } }),
        'package-lock.json': lock('1', 'a', { 'node_modules/x': { version: '1' } }),
      },
    ],
    [
      'a new dependency in pnpm-lock.yaml',
      'pnpm test',
      project('vitest run', { 'pnpm-lock.yaml': pnpmLock('a') }),
      { 'pnpm-lock.yaml': `${pnpmLock('a')}\n  x@1.0.0:\n    resolution: {integrity: x}\n` },
    ],
    [
      'a new dependency in yarn.lock',
      'yarn test',
      project('vitest run', { 'yarn.lock': yarnLock('a') }),
      { 'yarn.lock': `${yarnLock('a')}\nx@^1:\n  version "1"\n  integrity x\n` },
    ],
    [
      'a version',
      'npm test',
      project('vitest run'),
      { 'package.json': manifest({ test: 'vitest run' }, { version: '2.0.0' }) },
    ],
    [
      'an unrelated script',
      'npm test',
      project('vitest run'),
      { 'package.json': manifest({ test: 'vitest run', dev: 'vite', prebuild: 'x' }) },
    ],
    ['a new test', 'npm test', project('vitest run'), { 'more.test.js': 'a test' }],
    ['a changed test', 'node --test test/a.js', { 'test/a.js': 'a' }, { 'test/a.js': 'b' }],
    [
      'code behind a test script',
      'node test.js',
      { 'test.js': "require('./sum.js')", 'sum.js': 'a' },
      { 'sum.js': 'b' },
    ],
    [
      'tests in a script',
      'node test.js',
      { 'test.js': "import test from 'node:test'\ntest('a', f)" },
      { 'test.js': "import test from 'node:test'\ntest('a', f)\ntest('b', f)" },
    ],
    [
      'tests that a script requires',
      'node test/index.js',
      { 'test/index.js': "require('./a')", 'test/a.js': "test('a', f)" },
      { 'test/a.js': "test('b', f)" },
    ],
    [
      'code behind a check script',
      'node scripts/check.mjs',
      { 'scripts/check.mjs': "import '../src/index.js'", 'src/index.js': 'process.exit(1)' },
      { 'src/index.js': 'b' },
    ],
    [
      'a tsconfig that no gate uses',
      'npm test',
      project('vitest run', { 'tsconfig.json': 'a' }),
      { 'tsconfig.json': 'b' },
    ],
    [
      'a lint config that no gate uses',
      'npm test',
      project('vitest run', { 'eslint.config.js': 'a' }),
      { 'eslint.config.js': 'b', 'biome.json': '{}' },
    ],
    ['a harmless setting of npm', 'npm test', project('vitest run'), { '.npmrc': 'save-exact=true\n' }],
    [
      'another rule of a Makefile',
      'make check',
      { Makefile: MAKEFILE },
      { Makefile: `X = 2\n${MAKEFILE.replace('echo other', 'echo another')}release:\n\techo $(X)\n` },
    ],
    ['another makefile', 'make -f rules.mk check', { 'rules.mk': MAKEFILE }, { Makefile: 'x:\n\ttrue\n' }],
    [
      'another tool in pyproject.toml',
      'pytest',
      { ...PY, 'pyproject.toml': PYPROJECT },
      { 'pyproject.toml': `${PYPROJECT}line-length = 1\n` },
    ],
    [
      'a dependency of Gradle',
      'gradle test',
      { 'build.gradle': 'test {}\ndependencies {\n  a { b }\n}\n' },
      { 'build.gradle': 'test {}\ndependencies {\n  a { b }\n  c\n}\n' },
    ],
    [
      'a dependency of Maven',
      'mvn test',
      { 'pom.xml': '<project><version>1</version><build>x</build></project>' },
      { 'pom.xml': '<project><version>2</version><dependencies>d</dependencies><build>x</build></project>' },
    ],
    [
      'a dependency of Go',
      'go test ./...',
      { 'go.mod': 'module x\nrequire (\n\ta v1\n)\n' },
      { 'go.mod': 'module x\nrequire (\n\ta v1\n\tb v1\n)\n' },
    ],
    [
      'a dependency of Cargo',
      'cargo test',
      { 'Cargo.toml': '[dependencies]\na = "1"\n' },
      { 'Cargo.toml': '[dependencies]\na = "1"\nb = "1"\n' },
    ],
    [
      'a new member of the workspace',
      'npm test',
      WORKSPACE,
      { 'packages/r/package.json': manifest({ test: 'vitest run' }) },
    ],
    [
      'another member',
      'npm test -w p',
      WORKSPACE,
      { 'packages/q/package.json': manifest({ test: 'true' }, { name: '@x/q' }) },
    ],
    ['a file that no check names', 'test ! -e red', { 'a.sh': 'a' }, { 'a.sh': 'b' }],
    [
      'the manifest that a config imports',
      'npx vitest',
      project('x', { 'vitest.config.ts': "import p from './package.json'" }),
      { 'package.json': manifest({ test: 'x' }, { version: '2' }) },
    ],
  ])
})

describe('a first definition is free:', () => {
  testHonest([
    [
      'the first test script',
      'npm test',
      { 'package.json': '{}' },
      { 'package.json': manifest({ pretest: 'x', test: 'vitest run' }), 'vitest.config.ts': 'a' },
    ],
    [
      'the first runner with its first tests',
      'npx vitest run',
      { 'package.json': '{}' },
      { 'vitest.config.ts': 'a', 'a.test.ts': 'a' },
    ],
    [
      'the first tests of Python',
      'pytest',
      { 'a.py': '' },
      { 'conftest.py': 'a', 'pytest.ini': 'a', 'test_a.py': 'a' },
    ],
    ['the first config of eslint', 'npx eslint .', {}, { 'eslint.config.js': 'a' }],
    ['the first tsconfig', 'npx tsc', {}, { 'tsconfig.json': '{}' }],
    ['the first Makefile', 'make check', {}, { Makefile: MAKEFILE }],
    ['a rule where there was none', 'make check', { Makefile: 'build:\n\tx\n' }, { Makefile: MAKEFILE }],
    ['the first lock file', 'npm test', project('vitest run'), { 'package-lock.json': lock('1', 'a') }],
  ])
})
