import { packageFile } from '../../src/package/package-file.ts'
import type { Framework } from '../conformance/test-output/pairs.ts'

/** Small project with tests that its broken product fails. */
export interface Project {
  /** Program that has to be installed. */
  readonly tool: Framework['tool']
  /** Command of its gate. */
  readonly run: string
  readonly setup: readonly string[]
  readonly files: Readonly<Record<string, string>>
  /** File with `sum`. */
  readonly product: string
  /** Text of that file with sum(1, 0) === 2. */
  readonly broken: string
}

const SUM = 'exports.sum = (a, b) => a + b\n'
const BROKEN = 'exports.sum = (a, b) => a + (b || 1)\n'
/** Tests for node:test. */
export const NODE_TESTS = `const { test } = require('node:test')
const assert = require('node:assert')
const { sum } = require('./sum.js')
test('adds', () => assert.equal(sum(1, 2), 3))
test('adds nothing', () => assert.equal(sum(1, 0), 1))
`
/** Tests for node:test that check nothing. */
export const EMPTY_NODE_TESTS = NODE_TESTS.replaceAll(/assert\.equal\(.*\)\)/g, '{})')
/** Tests with globals, as Jest and Mocha have them. */
export const GLOBAL_TESTS = `const assert = require('node:assert')
const { sum } = require('../sum.js')
it('adds', () => assert.equal(sum(1, 2), 3))
it('adds nothing', () => assert.equal(sum(1, 0), 1))
`
/** Tests for Vitest. */
export const VITEST_TESTS = `import { expect, test } from 'vitest'
import { sum } from './sum.js'
test('adds', () => expect(sum(1, 2)).toBe(3))
test('adds nothing', () => expect(sum(1, 0)).toBe(1))
`
/** Tests for unittest. */
export const UNITTEST_TESTS = `import unittest
from sums import add


class Sums(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(add(1, 2), 3)

    def test_adds_nothing(self):
        self.assertEqual(add(1, 0), 1)
`
/** Tests for pytest. */
export const PYTEST_TESTS = `from sums import add


def test_adds():
    assert add(1, 2) == 3


def test_adds_nothing():
    assert add(1, 0) == 1
`
/** Tests for go test. */
export const GO_TESTS = `package sums

import "testing"

func TestAdds(t *testing.T) {
	if Add(1, 2) != 3 {
		t.Fatal("1 + 2")
	}
}

func TestAddsNothing(t *testing.T) {
	if Add(1, 0) != 1 {
		t.Fatal("1 + 0")
	}
}
`
/** Tests for cargo test. */
const CARGO_TESTS = `use sums::add;

#[test]
fn adds() {
    assert_eq!(add(1, 2), 3);
}

#[test]
fn adds_nothing() {
    assert_eq!(add(1, 0), 1);
}
`
/** Product of Rust that contains its test. */
export const RUST_WITH_TESTS = (body: string, expected: number) => `pub fn add(a: u32, b: u32) -> u32 {
    ${body}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_nothing() {
        assert_eq!(add(1, 0), ${expected});
    }
}
`
/** package.json with a script for tests. */
export function packageText(test: string, more: object = {}): string {
  return `${JSON.stringify({ name: 'sums', version: '1.0.0', scripts: { test }, ...more }, null, 2)}\n`
}

const script = { product: 'sum.js', broken: BROKEN }
const python = {
  product: 'sums.py',
  broken: 'def add(a, b):\n    return a + (b or 1)\n',
  setup: [],
}
const PYTHON = 'def add(a, b):\n    return a + b\n'

/** Projects by name; words in braces stand for folders of installed packages. */
export const PROJECTS = {
  node: {
    ...script,
    tool: 'node',
    run: 'npm test --silent',
    setup: [],
    files: { 'package.json': packageText('node --test'), 'sum.js': SUM, 'sum.test.js': NODE_TESTS },
  },
  vitest: {
    tool: 'node',
    run: 'npx vitest run',
    setup: [`ln -s '${packageFile('node_modules')}' node_modules`],
    files: {
      'package.json': packageText('vitest run', { type: 'module', devDependencies: { vitest: '4.1.12' } }),
      'sum.js': 'export const sum = (a, b) => a + b\n',
      'sum.test.js': VITEST_TESTS,
    },
    product: 'sum.js',
    broken: 'export const sum = (a, b) => a + (b || 1)\n',
  },
  typescript: {
    tool: 'node',
    run: 'npx tsc --noEmit && npx vitest run',
    setup: [`ln -s '${packageFile('node_modules')}' node_modules`],
    files: {
      'package.json': packageText('tsc --noEmit && vitest run', {
        type: 'module',
        devDependencies: { typescript: '7.0.2', vitest: '4.1.12' },
      }),
      'tsconfig.json':
        '{ "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2022", "types": [], "skipLibCheck": true }, "include": ["*.ts"] }\n',
      'sum.ts': 'export const sum = (a: number, b: number): number => a + b\n',
      'sum.test.ts': VITEST_TESTS,
    },
    product: 'sum.ts',
    broken: 'export const sum = (a: number, b: number): number => a + (b || 1)\n',
  },
  unittest: {
    ...python,
    tool: 'python',
    run: 'python3 -B -m unittest -v',
    files: { 'sums.py': PYTHON, 'test_sums.py': UNITTEST_TESTS },
  },
  pytest: {
    ...python,
    tool: 'pytest',
    run: 'python -B -m pytest -p no:cacheprovider',
    files: { 'sums.py': PYTHON, 'test_sums.py': PYTEST_TESTS },
  },
  jest: {
    ...script,
    tool: 'jest',
    run: 'npx jest',
    setup: ['ln -s "{modules}" node_modules'],
    files: {
      'package.json': packageText('jest', { devDependencies: { jest: '29' } }),
      'sum.js': SUM,
      'test/sum.test.js': GLOBAL_TESTS,
    },
  },
  mocha: {
    ...script,
    tool: 'mocha',
    run: 'npx mocha',
    setup: ['ln -s "{modules}" node_modules'],
    files: {
      'package.json': packageText('mocha', { devDependencies: { mocha: '11' } }),
      'sum.js': SUM,
      'test/sum.test.js': GLOBAL_TESTS,
    },
  },
  go: {
    tool: 'go',
    run: 'go test ./...',
    setup: [],
    files: {
      'go.mod': 'module sums\n\ngo 1.19\n',
      'sums.go': 'package sums\n\nfunc Add(a, b int) int { return a + b }\n',
      'sums_test.go': GO_TESTS,
    },
    product: 'sums.go',
    broken: 'package sums\n\nfunc Add(a, b int) int {\n\tif b == 0 {\n\t\tb = 1\n\t}\n\treturn a + b\n}\n',
  },
  cargo: {
    tool: 'cargo',
    // Builds in a shared folder would mix the rows that are played at the same time.
    run: 'env CARGO_TARGET_DIR=target cargo test --offline',
    setup: [],
    files: {
      'Cargo.toml': '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n',
      'Cargo.lock': 'version = 3\n\n[[package]]\nname = "sums"\nversion = "0.1.0"\n',
      '.gitignore': 'target\n',
      'src/lib.rs': 'pub fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n',
      'tests/sums.rs': CARGO_TESTS,
    },
    product: 'src/lib.rs',
    broken: 'pub fn add(a: u32, b: u32) -> u32 {\n    a + b.max(1)\n}\n',
  },
} as const satisfies Readonly<Record<string, Project>>

export type ProjectName = keyof typeof PROJECTS
