import { expect, test } from 'vitest'
import { followProject, type ProjectFiles } from '../../../test/given/definitions.ts'

const LONG = 100_000

test.each<readonly [name: string, command: string, files: ProjectFiles]>([
  ['brackets that never close', 'npx vitest', { 'vitest.config.ts': 'setupFiles: ['.repeat(LONG), 'a.test.ts': '' }],
  ['comments that never close', 'npx tsc', { 'tsconfig.json': '/* '.repeat(LONG), 'package.json': '/*'.repeat(LONG) }],
  ['blank lines', 'node test.js', { 'test.js': '\n'.repeat(10 * LONG) }],
  ['spaces', 'node check.js', { 'check.js': `require${' '.repeat(10 * LONG)}` }],
  ['spaces in a rule', 'make check', { Makefile: `check${' '.repeat(10 * LONG)}` }],
  ['elements that never close', 'mvn test', { 'pom.xml': '<build>'.repeat(LONG) }],
  ['blocks without end', 'gradle test', { 'build.gradle': 'dependencies {}\n'.repeat(LONG) }],
  [
    'globs with many wildcards',
    'npm test -ws',
    {
      'package.json': JSON.stringify({ workspaces: ['*a'.repeat(30), '{*,?', '**/'.repeat(50)] }),
      [`${'a'.repeat(200)}/package.json`]: '{}',
    },
  ],
  ['deep nesting', './check.sh', { 'check.sh': '('.repeat(LONG) }],
  ['a list in place of a script', 'composer test', { 'composer.json': '{"scripts":{"test":"[ -f x ] && y"}}' }],
  ['a text in place of scripts', 'run-p "a:*"', { 'package.json': '{"scripts":"x"}' }],
  [
    'names of every object',
    'constructor; cargo constructor; go toString; python -m constructor; npm run constructor',
    {
      'package.json': '{"scripts":{}}',
    },
  ],
  ['names that are expressions', 'node -r "((" -r "[" test.js', {}],
])('%s neither stop following nor outlast the time of a test', (_, command, files) => {
  expect(followProject(command, files).definition.parts.length).toBeGreaterThan(0)
})
