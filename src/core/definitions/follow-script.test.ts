import { describe } from 'vitest'
import { manifest, project, SCRIPT_GONE, TRUE, testWeakened } from '../../../test/given/definition-changes.ts'

describe('a script is weakened by', () => {
  testWeakened([
    ['a script', './scripts/check.sh', { 'scripts/check.sh': 'a' }, { 'scripts/check.sh': 'b' }, 'scripts/check.sh'],
    ['a script that is gone', 'sh check.sh', { 'check.sh': 'a' }, { 'check.sh': null }, 'check.sh is gone'],
    [
      'a sourced library',
      './check.sh',
      { 'check.sh': '. ./lib.sh\nrun_all', 'lib.sh': 'a' },
      { 'lib.sh': 'b' },
      'lib.sh',
    ],
    [
      'a library beside the script',
      'scripts/check.sh',
      { 'scripts/check.sh': 'DIR="$(cd "$(dirname "$0")" && pwd)"\nsource "$DIR/lib.sh"', 'scripts/lib.sh': 'a' },
      { 'scripts/lib.sh': 'b' },
      'scripts/lib.sh',
    ],
    [
      'a line less in a script of tests',
      'node test.js',
      { 'test.js': 'assert(a)\nassert(b)\n' },
      { 'test.js': 'assert(a)\nassert(c)\n' },
      'lines in test.js',
    ],
    [
      'a helper of tests below src',
      'node test.js',
      { 'test.js': "require('./src/testing/expect.js')\n", 'src/testing/expect.js': 'a' },
      { 'src/testing/expect.js': 'b' },
      'src/testing/expect.js',
    ],
    [
      'a command in a script',
      'bash check.sh',
      { 'check.sh': 'set -e\ncd "$(dirname "$0")"\nnpm test', ...project('vitest run') },
      TRUE,
      SCRIPT_GONE,
    ],
    [
      'a required library',
      'node scripts/check.js',
      { 'scripts/check.js': "require('./lib/compare')", 'scripts/lib/compare.js': 'a' },
      { 'scripts/lib/compare.js': 'b' },
      'scripts/lib/compare.js',
    ],
    [
      'a library that decides',
      'node check.js',
      { 'check.js': "require('./lib.js')", 'lib.js': 'process.exit(fails)' },
      { 'lib.js': 'process.exit(0)' },
      'lib.js',
    ],
    [
      'a command that a script starts',
      'node scripts/test.mjs',
      {
        'scripts/test.mjs': "execSync('npm run unit')\nspawnSync('npx', ['vitest', 'run'])",
        'package.json': manifest({ unit: 'a' }),
      },
      { 'package.json': manifest({ unit: 'b' }) },
      'scripts.unit in package.json was "a" and is "b"',
    ],
    [
      'a runner that a script names',
      'node scripts/test.mjs',
      {
        'scripts/test.mjs':
          "import { spawn } from 'node:child_process'\nspawn(process.execPath, [bin('vitest/vitest.mjs'), 'run'])",
        'a.test.js': '',
        'vitest.config.js': 'a',
      },
      { 'vitest.config.js': 'b' },
      'vitest.config.js',
    ],
    [
      'a file that bash reads first',
      'BASH_ENV=env.sh bash -c ./a.sh',
      { 'env.sh': 'a' },
      { 'env.sh': 'exit 0' },
      'env.sh',
    ],
    [
      'a script behind a link',
      './check',
      { check: '-> tools/check.sh', 'tools/check.sh': 'a' },
      { 'tools/check.sh': 'b' },
      'tools/check.sh',
    ],
    ['a link in place of a script', './check.sh', { 'check.sh': 'a' }, { 'check.sh': '-> /bin/true' }, 'check.sh'],
    [
      'a module of Python',
      'python tools/check.py --fast',
      { 'tools/check.py': 'import checklib\n', 'tools/checklib.py': 'a' },
      { 'tools/checklib.py': 'b' },
      'tools/checklib.py',
    ],
  ])
})
