import { expect, test } from 'vitest'
import type { Check } from '../model/effect.ts'
import { changedDefinitions, deletedTestFiles, type FileDifference } from './weakened.ts'

function check(name: string, onFail: Check['onFail'] = 'block'): Check {
  return { name, run: 'npm test', onFail, timeoutMs: 1, coverage: null, canary: null }
}

const SCRIPT = 'scripts.test in package.json was "jest" and is "true"'
const CHANGED = { changes: [{ kind: 'changed' as const, file: 'package.json', what: SCRIPT }] }
const PLAIN = { to: null, losesLines: true, linksTo: null }

test('a changed definition is reported once, and not for checks that only warn', () => {
  const definitions = new Map([
    ['tests', CHANGED],
    ['again', CHANGED],
  ])
  const findings = changedDefinitions([check('tests'), check('again')], definitions)
  expect(findings.map(({ message, file, needsPerson, source }) => ({ message, file, needsPerson, source }))).toEqual([
    {
      message:
        'the definition of the check tests was changed: scripts.test in package.json was "jest" and is "true". Restore it: only a person may approve a weaker check.',
      file: 'package.json',
      needsPerson: true,
      source: 'checks',
    },
  ])
  expect(changedDefinitions([check('tests', 'warn')], definitions)).toEqual([])
})

test('what is new is to be removed', () => {
  const change = {
    kind: 'new' as const,
    file: 'vitest.config.js',
    what: 'vitest now reads vitest.config.js, which is new',
  }
  const findings = changedDefinitions([check('tests')], new Map([['tests', { changes: [change] }]]))
  expect(findings.map(({ message }) => message)).toEqual([
    'the definition of the check tests was changed: vitest now reads vitest.config.js, which is new. Remove it: only a person may approve a weaker check.',
  ])
})

test('a test file is recognised by name, and a moved one is not deleted', () => {
  const files: readonly FileDifference[] = [
    ...['a.test.ts', 'b_test.go', 'test_c.py', 'tests/d.rs', 'src/e.ts'].map((path) => ({
      ...PLAIN,
      path,
      kind: 'deleted' as const,
    })),
    { ...PLAIN, path: 'f.test.ts', kind: 'renamed', to: 'sub/f.test.ts' },
    { ...PLAIN, path: 'g.test.ts', kind: 'renamed', to: 'g.ts.bak' },
    { ...PLAIN, path: 'h.test.ts', kind: 'changed' },
  ]
  expect(deletedTestFiles({ files })).toEqual(['a.test.ts', 'b_test.go', 'test_c.py', 'tests/d.rs', 'g.test.ts'])
})
