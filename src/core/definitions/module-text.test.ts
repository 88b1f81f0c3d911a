import { expect, test } from 'vitest'
import { isTestText } from './module-text.ts'

test.each([
  ['tests of node:test', "const test = require('node:test')\ntest('a', () => {})\n", true],
  ['tests with globals', "describe('a', () => {\n  it('b', () => expect(1).toBe(1))\n})\n", true],
  ['tests of pytest', 'def _one():\n    return 1\n\n\ndef test_a():\n    assert _one() == 1\n', true],
  [
    'a fixture',
    'import pytest\n\n@pytest.fixture\ndef one():\n    return 1\n\ndef test_a(one):\n    assert one\n',
    true,
  ],
  ['tests of unittest', 'import unittest\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        pass\n', true],
  ['a product', 'exports.sum = (a, b) => a + b\n', false],
  ['a product that asserts', "const assert = require('assert')\nexports.sum = (a, b) => assert(a) ?? b\n", false],
  [
    'a product among tests',
    "const assert = require('assert')\nexports.sum = () => 1\ntest('a', () => assert(1))\n",
    false,
  ],
  [
    'a Python product among tests',
    'def add(a, b):\n    return a\n\ndef test_add():\n    assert add(1, 2) == 3\n',
    false,
  ],
  ['a class among tests', 'class Sum:\n    pass\n\ndef test_add():\n    assert Sum()\n', false],
  ['many lines', "it('a')\n".repeat(50_000) + 'x'.repeat(100_000), false],
])('%s: %#', (_, text, expected) => {
  expect(isTestText(text)).toBe(expected)
})
