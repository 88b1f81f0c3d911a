import { describe } from 'vitest'
import { lock, manifest, pnpmLock, project, testWeakened, yarnLock } from '../../../test/given/definition-changes.ts'

describe('a runner is replaced by', () => {
  testWeakened([
    [
      'a new .npmrc with script-shell',
      'npm test',
      project('vitest run'),
      { '.npmrc': 'script-shell=./fake\n' },
      'settings in .npmrc is new ("script-shell=./fake"), and npm reads it',
    ],
    [
      'a new .npmrc with node-options',
      'npm test',
      project('vitest run'),
      { '.npmrc': 'save-exact=true\nnode-options=--require ./x.js\n' },
      'settings in .npmrc is new ("node-options=--require ./x.js"), and npm reads it',
    ],
    [
      'a new .yarnrc.yml',
      'yarn test',
      project('vitest run'),
      { '.yarnrc.yml': 'yarnPath: ./fake.js\n' },
      '.yarnrc.yml is new, and npm reads it',
    ],
    [
      'a fake runner',
      'npm test',
      project('vitest run'),
      { 'node_modules/.bin/vitest': 'exit 0' },
      'node_modules/.bin/vitest is new, and npm reads it',
    ],
    [
      'a fake node',
      'npm test',
      project('node --test'),
      { 'node_modules/.bin/node': 'exit 0' },
      'node_modules/.bin/node is new, and npm reads it',
    ],
    [
      'a fake runner behind npx',
      'npx vitest run',
      project('x'),
      { 'node_modules/.bin/vitest': 'exit 0' },
      'node_modules/.bin/vitest is new, and npm reads it',
    ],
    [
      'a committed package of the runner',
      'npx vitest run',
      project('x'),
      { 'node_modules/vitest/vitest.mjs': '' },
      'node_modules/vitest/vitest.mjs is new, and vitest reads it',
    ],
    [
      'another runner under its name',
      'npm test',
      project('vitest run', {
        'package.json': manifest({ test: 'vitest run' }, { devDependencies: { vitest: '4.0.0' } }),
      }),
      { 'package.json': manifest({ test: 'vitest run' }, { devDependencies: { vitest: 'file:./fake' } }) },
      'devDependencies.vitest in package.json was "4.0.0" and is "file:./fake"',
    ],
    [
      'an override of the runner',
      'npm test',
      project('vitest run'),
      { 'package.json': manifest({ test: 'vitest run' }, { overrides: { vitest: 'npm:fake' } }) },
      'overrides.vitest in package.json is new ("npm:fake"), and vitest reads it',
    ],
    [
      'its entry in package-lock.json',
      'npm test',
      project('vitest run', { 'package-lock.json': lock('1', 'a') }),
      { 'package-lock.json': lock('1', 'b') },
      'vitest in package-lock.json was "{"version":"1","integrity":"a"}" and is "{"version":"1","integrity":"b"}"',
    ],
    [
      'its entry in pnpm-lock.yaml',
      'pnpm test',
      project('vitest run', { 'pnpm-lock.yaml': pnpmLock('a') }),
      { 'pnpm-lock.yaml': pnpmLock('b') },
      'vitest in pnpm-lock.yaml is not what it was',
    ],
    [
      'its entry in yarn.lock',
      'yarn test',
      project('vitest run', { 'yarn.lock': yarnLock('a') }),
      { 'yarn.lock': yarnLock('b') },
      'vitest in yarn.lock is not what it was',
    ],
  ])
})

describe('the settings of a runner are weakened by', () => {
  testWeakened([
    [
      'a new vitest config',
      'npm test',
      project('vitest run'),
      { 'vitest.config.ts': 'process.exit(0)' },
      'vitest.config.ts is new, and vitest reads it',
    ],
    [
      'a vitest config that goes first',
      'npm test',
      project('vitest run', { 'vite.config.ts': 'a' }),
      { 'vitest.config.js': 'b' },
      'vitest.config.js is used instead of vite.config.ts',
    ],
    [
      'a changed vitest config',
      'npx vitest run',
      project('x', { 'vitest.config.ts': 'a' }),
      { 'vitest.config.ts': 'b' },
      'vitest.config.ts is not what it was',
    ],
    [
      'a named vitest config',
      'npx vitest run -c unit.ts',
      project('x', { 'unit.ts': 'a' }),
      { 'unit.ts': 'b' },
      'unit.ts is not what it was',
    ],
    [
      'a module that a config imports',
      'npx vitest',
      project('x', { 'vitest.config.ts': "import s from './shared.js'", 'shared.ts': 'a' }),
      { 'shared.ts': 'b' },
      'shared.ts is not what it was',
    ],
    [
      'a setup file that a config names',
      'npx vitest',
      project('x', { 'vitest.config.ts': "export default { test: { setupFiles: ['./prepare'] } }", 'prepare.ts': 'a' }),
      { 'prepare.ts': 'b' },
      'prepare.ts is not what it was',
    ],
    [
      'a new entry for jest',
      'npm test',
      project('jest'),
      { 'package.json': manifest({ test: 'jest' }, { jest: { globalSetup: './exit.js' } }) },
      'jest in package.json is new ("{"globalSetup":"./exit.js"}"), and jest reads it',
    ],
    [
      'a global setup of jest',
      'npm test',
      {
        'package.json': manifest({ test: 'jest' }, { jest: { globalSetup: '<rootDir>/global.js' } }),
        'global.js': 'a',
        'a.test.js': 'x',
      },
      { 'global.js': 'process.exit(0)' },
      'global.js is not what it was',
    ],
    [
      'a new .mocharc.cjs',
      'npx mocha',
      project('x'),
      { '.mocharc.cjs': 'process.exit(0)' },
      '.mocharc.cjs is new, and mocha reads it',
    ],
    [
      'a module that mocha requires',
      'npx mocha -r ./hooks.js',
      project('x', { 'hooks.js': 'a' }),
      { 'hooks.js': 'b' },
      'hooks.js is not what it was',
    ],
    [
      'a module that node preloads',
      'NODE_OPTIONS="--import ./pre.mjs" npm test',
      project('node --test', { 'pre.mjs': 'a' }),
      { 'pre.mjs': 'b' },
      'pre.mjs is not what it was',
    ],
    [
      'a config of tsc',
      'npx tsc --noEmit',
      { 'tsconfig.json': '{ "extends": "./base.json" }', 'base.json': '{}' },
      { 'base.json': '{ "noCheck": true }' },
      'base.json is not what it was',
    ],
    [
      'a config of eslint',
      'npx eslint .',
      { 'eslint.config.js': 'a' },
      { 'eslint.config.js': 'b' },
      'eslint.config.js is not what it was',
    ],
    [
      'a new file for eslint to ignore by',
      'npx eslint .',
      { 'eslint.config.js': 'a' },
      { '.eslintignore': '*' },
      '.eslintignore is new, and eslint reads it',
    ],
    ['a new config of biome', 'npx biome check', {}, { 'biome.json': '{}' }, 'biome.json is new, and biome reads it'],
  ])
})
