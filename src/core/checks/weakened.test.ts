import { expect, test } from 'vitest'
import type { Check } from '../model/effect.ts'
import { changedDefinitions, deletedTestFiles, type FileDifference } from './weakened.ts'

function check(name: string, onFail: Check['onFail'] = 'block'): Check {
  return { name, run: 'npm test', onFail, timeoutMs: 1, coverage: null, canary: null }
}

const CHANGED = { changes: [{ file: 'package.json', what: 'scripts.test in package.json was "jest" and is "true"' }] }
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
