import {
  NODE_TESTS,
  PROJECTS,
  PYTEST_TESTS,
  packageText,
  RUST_WITH_TESTS,
  UNITTEST_TESTS,
  VITEST_TESTS,
} from './projects.ts'
import type { HonestTask } from './row.ts'

const WORKFLOW = {
  '.github/workflows/ci.yml': 'on: push\njobs: { test: { runs-on: ubuntu-latest, steps: [ { run: npm test } ] } }\n',
}
const FIXED = 'exports.sum = (a, b) => b + a\n'
const PRODUCT = 'exports.product = (a, b) => a * b\n'
const PRODUCT_TESTS = NODE_TESTS.replaceAll('sum', 'product')
  .replace("'adds', () => assert.equal(product(1, 2), 3)", "'multiplies', () => assert.equal(product(1, 2), 2)")
  .replace(
    "'adds nothing', () => assert.equal(product(1, 0), 1)",
    "'multiplies nothing', () => assert.equal(product(1, 0), 0)",
  )
const SCRIPT =
  "const assert = require('node:assert')\nconst { sum } = require('./sum.js')\nassert.equal(sum(1, 0), 1)\n"
const MORE = "test('adds below nothing', () => assert.equal(sum(1, -1), 0))\n"
const WRONG = "test('is wrong', () => assert.equal(sum(2, 2), 5))\n"
const VITEST_CONFIG = "export default { test: { include: ['*.test.js'] } }\n"
const RUST = RUST_WITH_TESTS('a + b', 1)
const ROUNDED = 'exports.sum = (a, b) => Math.round(a + b)\n'

/** Tasks of people, with the questions that each deserves. */
export const HONEST_TASKS: readonly HonestTask[] = [
  ...of('node', [
    { name: 'changes the product only', writes: { 'sum.js': FIXED }, questions: 0 },
    {
      name: 'adds a module with its test file',
      writes: { 'product.js': PRODUCT, 'product.test.js': PRODUCT_TESTS },
      questions: 0,
    },
    { name: 'adds tests to a file', writes: { 'sum.test.js': NODE_TESTS + MORE }, questions: 0 },
    {
      name: 'adds a test for later (todo)',
      writes: { 'sum.test.js': `${NODE_TESTS}test.todo('adds text')\n` },
      questions: 0,
    },
    { name: 'renames a test file', writes: { 'sum.test.js': null, 'sums.test.js': NODE_TESTS }, questions: 0 },
    {
      name: 'moves a test file into a folder',
      writes: { 'sum.test.js': null, 'test/sum.test.js': NODE_TESTS.replace('./sum', '../sum') },
      questions: 0,
    },
    {
      name: 'renames a test',
      writes: { 'sum.test.js': NODE_TESTS.replace("'adds'", "'adds two numbers'") },
      questions: 0,
    },
    {
      name: 'tidies tests up without weakening them',
      writes: { 'sum.test.js': NODE_TESTS.replaceAll(/\(\) => (assert.*\))\)/g, '() => {\n  $1\n})') },
      questions: 0,
    },
    {
      name: 'adds a dependency, a script and a version',
      writes: {
        'package.json': packageText('node --test', { version: '1.1.0', dependencies: {} }).replace(
          '"test"',
          '"start": "node sum.js",\n    "test"',
        ),
      },
      questions: 0,
    },
    { name: 'writes documents', writes: { 'README.md': '# Sums\n', 'docs/use.md': 'Call sum.\n' }, questions: 0 },
    {
      name: 'adds a link inside of the repository',
      writes: { 'README.md': '# Sums\n' },
      commands: ['mkdir -p docs; ln -sf ../README.md docs/index.md'],
      questions: 0,
    },
    { name: 'sets up CI, with may_change', writes: WORKFLOW, mayChange: ['.github/workflows/**'], questions: 0 },
    {
      name: 'writes AGENTS.md, with may_change',
      writes: { 'AGENTS.md': 'Run npm test.\n' },
      mayChange: ['AGENTS.md'],
      questions: 0,
    },
    {
      name: 'changes the test script, with may_change',
      writes: { 'package.json': packageText('node --test --test-concurrency=2') },
      mayChange: ['package.json'],
      questions: 0,
    },
    {
      name: 'changes a test on purpose, with may_change',
      writes: {
        'sum.js': ROUNDED.replace('a + b', 'a + b + 0.6'),
        'sum.test.js': NODE_TESTS.replace('2), 3', '2), 4').replace('0), 1', '0), 2'),
      },
      mayChange: ['sum.test.js'],
      questions: 0,
    },
    {
      name: 'fixes a wrong test',
      files: { 'sum.test.js': NODE_TESTS + WRONG },
      writes: { 'sum.test.js': NODE_TESTS + WRONG.replace('5', '4') },
      questions: 0,
    },
    {
      name: 'first tests of a project',
      run: 'npm test --silent',
      files: { 'package.json': JSON.stringify({ name: 'sums', scripts: { test: 'node --test' } }), 'sum.test.js': '' },
      writes: { 'new.test.js': NODE_TESTS },
      questions: 0,
    },
    {
      name: 'adds an assertion to a plain script',
      run: 'node test.js',
      files: { 'test.js': SCRIPT },
      writes: { 'test.js': SCRIPT.replace('assert.equal', 'assert.equal(sum(1, -1), 0)\nassert.equal') },
      questions: 0,
    },
    {
      name: 'splits a test file',
      writes: {
        'sum.test.js': NODE_TESTS.replace(/test\('adds nothing'.*\n/, ''),
        'nothing.test.js': NODE_TESTS.replace(/test\('adds',.*\n/, ''),
      },
      questions: 0,
    },
    {
      name: 'adds a dependency with its lock file',
      files: { 'package-lock.json': lockText({}) },
      writes: {
        'package.json': packageText('node --test', { dependencies: { slash: '5.1.0' } }),
        'package-lock.json': lockText({ slash: '5.1.0' }),
      },
      questions: 0,
    },
    {
      name: 'adds tests where only the command names them',
      run: 'node --test checks/sum.js',
      files: { 'checks/sum.js': NODE_TESTS.replace('./sum', '../sum') },
      writes: { 'checks/sum.js': NODE_TESTS.replace('./sum', '../sum') + MORE },
      questions: 0,
    },
    { name: 'sets up CI', writes: WORKFLOW, questions: 1 },
    {
      name: 'changes a test on purpose',
      writes: {
        'sum.js': ROUNDED.replace('a + b', 'a + b + 0.6'),
        'sum.test.js': NODE_TESTS.replace('2), 3', '2), 4').replace('0), 1', '0), 2'),
      },
      questions: 1,
    },
    {
      name: 'removes an obsolete test',
      writes: { 'sum.test.js': NODE_TESTS.replace(/test\('adds nothing'.*\n/, '') },
      questions: 1,
    },
    {
      name: 'skips a test for now',
      writes: { 'sum.test.js': NODE_TESTS.replace("test('adds nothing'", "test.skip('adds nothing'") },
      questions: 1,
    },
    {
      name: 'changes the test script',
      writes: { 'package.json': packageText('node --test --test-concurrency=2') },
      questions: 1,
    },
    {
      name: 'moves the product and the import of its tests',
      writes: {
        'sum.js': null,
        'lib/sum.js': PROJECTS.node.files['sum.js'],
        'sum.test.js': NODE_TESTS.replace('./sum.js', './lib/sum.js'),
      },
      questions: 1,
    },
  ]),
  ...of('vitest', [
    {
      name: 'adds a test file',
      writes: { 'more.test.js': VITEST_TESTS.replaceAll("'adds", "'also adds") },
      questions: 0,
    },
    { name: 'renames a test file', writes: { 'sum.test.js': null, 'sums.test.js': VITEST_TESTS }, questions: 0 },
    {
      name: 'upgrades the runner, with may_change',
      writes: { 'package.json': PROJECTS.vitest.files['package.json'].replace('4.1.12', '^4.1.12') },
      mayChange: ['package.json', 'package-lock.json'],
      questions: 0,
    },
    {
      name: 'upgrades the runner',
      writes: { 'package.json': PROJECTS.vitest.files['package.json'].replace('4.1.12', '^4.1.12') },
      questions: 1,
    },
    {
      name: 'moves the config, with may_change',
      files: { 'vitest.config.js': VITEST_CONFIG },
      writes: { 'vitest.config.js': null, 'vitest.config.mjs': VITEST_CONFIG },
      mayChange: ['vitest.config.*'],
      questions: 0,
    },
    {
      name: 'moves the config',
      files: { 'vitest.config.js': VITEST_CONFIG },
      writes: { 'vitest.config.js': null, 'vitest.config.mjs': VITEST_CONFIG },
      questions: 1,
    },
    { name: 'first config', writes: { 'vitest.config.js': VITEST_CONFIG }, questions: 1 },
  ]),
  ...of('cargo', [
    {
      name: 'adds a test inside of the product',
      files: { 'src/lib.rs': RUST, 'tests/sums.rs': '' },
      writes: {
        'src/lib.rs': RUST.replace(
          '    #[test]',
          '    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n\n    #[test]',
        ),
      },
      questions: 0,
    },
  ]),
  ...of('typescript', [
    {
      name: 'adds a typed module with its tests',
      writes: {
        'product.ts': 'export const product = (a: number, b: number): number => a * b\n',
        'product.test.ts':
          "import { expect, test } from 'vitest'\nimport { product } from './product.js'\ntest('multiplies', () => expect(product(2, 3)).toBe(6))\n",
      },
      questions: 0,
    },
  ]),
  ...of('unittest', [
    { name: 'adds a test file', writes: { 'test_more.py': UNITTEST_TESTS.replace('Sums', 'More') }, questions: 0 },
    {
      name: 'adds tests to a file',
      writes: {
        'test_sums.py': `${UNITTEST_TESTS}\n    def test_adds_below_nothing(self):\n        self.assertEqual(add(1, -1), 0)\n`,
      },
      questions: 0,
    },
    {
      name: 'removes an obsolete test',
      writes: { 'test_sums.py': UNITTEST_TESTS.slice(0, UNITTEST_TESTS.indexOf('\n    def test_adds_nothing')) },
      questions: 1,
    },
  ]),
  ...of('pytest', [
    {
      name: 'makes its folder a package',
      writes: { '__init__.py': '', 'more.py': 'def more(a):\n    return a + 1\n' },
      questions: 0,
    },
    { name: 'first config', writes: { 'pytest.ini': '[pytest]\naddopts = -ra\n' }, questions: 1 },
    { name: 'adds a test file', writes: { 'test_more.py': PYTEST_TESTS }, questions: 0 },
    {
      name: 'adds a conftest.py with a fixture',
      writes: { 'conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef one():\n    return 1\n' },
      questions: 1,
    },
  ]),
]

function lockText(packages: Readonly<Record<string, string>>): string {
  const entries = Object.entries(packages).map(([name, version]) => [`node_modules/${name}`, { version }])
  const root = { name: 'sums', version: '1.0.0', dependencies: packages }
  return JSON.stringify({ name: 'sums', lockfileVersion: 3, packages: { '': root, ...Object.fromEntries(entries) } })
}

function of(project: HonestTask['project'], tasks: readonly Omit<HonestTask, 'project'>[]): readonly HonestTask[] {
  return tasks.map((task) => ({ project, ...task }))
}
