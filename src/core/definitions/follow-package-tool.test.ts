import { describe } from 'vitest'
import {
  MEMBER_GONE,
  MEMBER_TRUE,
  manifest,
  project,
  SCRIPT_GONE,
  TRUE,
  testWeakened,
  WORKSPACE,
} from '../../../test/given/definition-changes.ts'

describe('a script of a package is weakened by', () => {
  testWeakened([
    ['the test script', 'npm test', project('vitest run'), TRUE, SCRIPT_GONE],
    ['behind timeout', 'timeout 300 npm test', project('vitest run'), TRUE, SCRIPT_GONE],
    ['behind bash -c', "bash -c 'npm test'", project('vitest run'), TRUE, SCRIPT_GONE],
    [
      'behind several wrappers',
      'nice -n 5 env -u X CI=1 timeout -k 5 60 sh -euc "npm t"',
      project('vitest run'),
      TRUE,
      SCRIPT_GONE,
    ],
    [
      'behind if and a pipe',
      'if [ -f package.json ]; then (npm test | tee log); fi',
      project('vitest run'),
      TRUE,
      SCRIPT_GONE,
    ],
    ['behind a function and a variable', 'T=test; f() { npm run $T; }; f', project('vitest run'), TRUE, SCRIPT_GONE],
    ['behind a here-document', 'bash <<EOF\nnpm test\nEOF', project('vitest run'), TRUE, SCRIPT_GONE],
    ['behind xargs', 'echo test | xargs -n 1 npm run test', project('vitest run'), TRUE, SCRIPT_GONE],
    ['behind node --run', 'node --run test', project('vitest run'), TRUE, SCRIPT_GONE],
    ['of pnpm', 'pnpm test', project('vitest run'), TRUE, SCRIPT_GONE],
    ['of yarn', 'yarn run test --ci', project('vitest run'), TRUE, SCRIPT_GONE],
    ['of bun', 'bun run test', project('vitest run'), TRUE, SCRIPT_GONE],
    [
      'a script behind a script',
      'npm test',
      { 'package.json': manifest({ test: 'npm run unit', unit: 'a' }) },
      { 'package.json': manifest({ test: 'npm run unit', unit: 'b' }) },
      'scripts.unit in package.json was "a" and is "b"',
    ],
    [
      'several scripts at once',
      'npx run-p lint unit',
      { 'package.json': manifest({ lint: 'x', unit: 'a' }) },
      { 'package.json': manifest({ lint: 'x', unit: 'b' }) },
      'scripts.unit in package.json was "a" and is "b"',
    ],
    [
      'in a folder',
      '(cd web && npm test) && echo',
      { 'web/package.json': manifest({ test: 'a' }) },
      { 'web/package.json': manifest({ test: 'b' }) },
      'scripts.test in web/package.json was "a" and is "b"',
    ],
    [
      'a removed pretest',
      'npm test',
      { 'package.json': manifest({ pretest: 'a', test: 'c' }) },
      { 'package.json': manifest({ test: 'c' }) },
      'scripts.pretest in package.json was "a" and is gone',
    ],
    [
      'a new pretest',
      'npm test',
      project('vitest run'),
      { 'package.json': manifest({ pretest: 'cp fake node_modules/.bin/vitest', test: 'vitest run' }) },
      'npm now reads scripts.pretest in package.json ("cp fake node_modules/.bin/vitest"), which is new',
    ],
  ])
})

describe('a member of a workspace is weakened by', () => {
  testWeakened([
    ['a member, by the root script', 'npm test', WORKSPACE, MEMBER_TRUE, MEMBER_GONE],
    ['a member by -w', 'npm test -w p', WORKSPACE, MEMBER_TRUE, MEMBER_GONE],
    ['a member by --workspace=', 'npm run test --workspace=packages/p', WORKSPACE, MEMBER_TRUE, MEMBER_GONE],
    ['members by -ws', 'npm test -ws', WORKSPACE, MEMBER_TRUE, MEMBER_GONE],
    ['members by --workspaces', 'npm test --workspaces --if-present', WORKSPACE, MEMBER_TRUE, MEMBER_GONE],
    [
      'members by pnpm -r',
      'pnpm -r test',
      { ...WORKSPACE, 'pnpm-workspace.yaml': 'packages:\n  - "packages/*"\n' },
      MEMBER_TRUE,
      MEMBER_GONE,
    ],
    [
      'members by --filter',
      'pnpm --filter p... run test',
      { ...WORKSPACE, 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n' },
      MEMBER_TRUE,
      MEMBER_GONE,
    ],
    ['a member by yarn workspace', 'yarn workspace p test', WORKSPACE, MEMBER_TRUE, MEMBER_GONE],
    ['members by yarn workspaces', 'yarn workspaces foreach -A run test', WORKSPACE, MEMBER_TRUE, MEMBER_GONE],
    ['members by turbo', 'npx turbo run test', WORKSPACE, MEMBER_TRUE, MEMBER_GONE],
    [
      'a task of turbo',
      'turbo test',
      { ...WORKSPACE, 'turbo.json': '{"tasks":{"test":{"cache":false}}}' },
      { 'turbo.json': '{"tasks":{"test":{"cache":true}}}' },
      'tasks.test in turbo.json was "{"cache":false}" and is "{"cache":true}"',
    ],
    ['members by nx', 'nx run-many -t test', WORKSPACE, MEMBER_TRUE, MEMBER_GONE],
    [
      'a target of nx',
      'nx test p',
      { 'packages/p/project.json': '{"targets":{"test":{"command":"./t.sh"}}}', 'nx.json': '{}', 't.sh': 'a' },
      { 't.sh': 'b' },
      't.sh',
    ],
    ['members by lerna', 'lerna run test', WORKSPACE, MEMBER_TRUE, MEMBER_GONE],
    [
      'a member left out of the workspace',
      'npm test --workspaces',
      WORKSPACE,
      { 'package.json': manifest({ test: 'npm test --workspaces' }, { workspaces: ['packages/q'] }) },
      'the list of members in package.json was "packages/p, packages/q" and is "packages/q"',
    ],
  ])
})
