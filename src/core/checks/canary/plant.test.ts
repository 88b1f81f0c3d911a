import { describe, expect, test } from 'vitest'
import { canPlantFor, chooseNeighbour, plantsFor } from './plant.ts'

const target = (kind: string, folder = '', files: readonly string[] = []) => ({ kind, folder, files })

describe('the neighbour of a plant', () => {
  test.each([
    ['vitest', '', [], '', ['src/a.ts', 'src/deep/b.test.ts', 'src/a.test.ts'], 'src/a.test.ts'],
    [
      'vitest',
      '',
      [],
      ' ✓ src/deep/b.test.ts (3 tests)',
      ['src/a.test.ts', 'src/deep/b.test.ts'],
      'src/deep/b.test.ts',
    ],
    ['vitest', 'p', [], '', ['a.test.ts', 'p/b.test.ts'], 'p/b.test.ts'],
    ['vitest', '', [], '', ['node_modules/x/a.test.js', 'test/fixtures/b.test.ts'], null],
    ['mocha', '', [], '', ['lib/a.js', 'test/a.js'], 'test/a.js'],
    ['node-test', '', ['check.mjs'], '', ['check.mjs', 'test/a.test.js'], 'check.mjs'],
    ['pytest', '', [], '', ['src/a.py', 'tests/conftest.py', 'tests/test_a.py'], 'tests/test_a.py'],
    ['unittest', '', ['tests'], '', ['test_a.py', 'tests/test_b.py'], 'tests/test_b.py'],
    ['vitest', 'p', ['./deep/'], '', ['p/a.test.ts', 'p/deep/b.test.ts'], 'p/deep/b.test.ts'],
    ['mocha', '', ['spec/**/*.js'], '', ['test/a.js', 'spec/deep/b.js'], 'spec/deep/b.js'],
    ['mocha', '', ['specs'], '', ['test/a.js', 'specs/b.js', 'lib/c.js'], 'specs/b.js'],
    ['node-test', '', ['checks/*.mjs'], '', ['a.test.js', 'checks/b.mjs'], 'checks/b.mjs'],
    ['vitest', '', ['src'], '', ['src/a.ts', 'src/deep/b.test.ts'], 'src/deep/b.test.ts'],
    ['node-script', '', ['test.js'], '', ['test.js', 'sum.test.js'], 'test.js'],
    ['go-test', '', [], '', ['a.go', 'a_test.go'], 'a_test.go'],
    ['cargo-test', '', [], '', ['src/lib.rs', 'tests/api.rs'], 'src/lib.rs'],
    ['tsc', '', [], '', ['src/a.d.ts', 'src/a.test.ts', 'src/b.ts'], 'src/b.ts'],
    ['make', '', [], '', ['Makefile'], null],
  ])('of %s in "%s" with files %j and output "%s" among %j is %s', (kind, folder, files, output, paths, chosen) => {
    expect(chooseNeighbour(target(kind, folder, files), paths, output)).toBe(chosen)
  })
})

describe('a plant', () => {
  const NEIGHBOURS: Readonly<Record<string, { path: string; text: string }>> = {
    vitest: { path: 'src/a.test.ts', text: "import { it } from 'vitest'\nit('adds', () => {})\n" },
    jest: { path: 'src/__tests__/a.js', text: "it('adds', () => {})" },
    mocha: { path: 'test/a.js', text: "test('adds', () => {})\n" },
    'node-test': { path: 'test/a.test.js', text: "const test = require('node:test')\n" },
    'node-script': { path: 'test.js', text: '#!/usr/bin/env node\nprocess.exit(0)\n' },
    'python-script': { path: 'test.py', text: 'assert True\n' },
    tsc: { path: 'src/a.ts', text: '' },
    biome: { path: 'src/a.js', text: '' },
    pytest: { path: 'tests/test_a.py', text: 'def test_a():\n    pass\n' },
    unittest: { path: 'tests/a_test.py', text: "import unittest\n\nif __name__ == '__main__':\n    unittest.main()\n" },
    mypy: { path: 'a.py', text: '' },
    ruff: { path: 'pkg/a.py', text: '' },
    'go-test': { path: 'sum/sum_test.go', text: '// Sums.\npackage sum_test\n' },
    'go-vet': { path: 'sum/sum.go', text: 'package sum\n' },
    'cargo-test': { path: 'src/lib.rs', text: 'pub fn a() {}\n' },
    'cargo-check': { path: 'src/main.rs', text: 'fn main() {}\n' },
  }

  test.each(Object.entries(NEIGHBOURS))('for %s carries its marker in everything it makes', (kind, neighbour) => {
    const plants = plantsFor(target(kind), neighbour, 'kqzjx')
    expect(plants.length).toBeGreaterThan(0)
    for (const { path, text, marker } of plants) {
      expect(`${path}\n${text}`).toContain('kqzjx')
      expect(marker).toBe('kqzjx')
    }
  })

  test('changes a file that the command names, because a new one would not be run', () => {
    const plants = plantsFor(target('node-test', 'p', ['./a.test.js']), { path: 'p/a.test.js', text: '' }, 'kqzjx')
    expect(plants.map(({ path }) => path)).toEqual(['p/a.test.js'])
  })

  test('is not known for other programs', () => {
    expect(canPlantFor('make')).toBe(false)
    expect(plantsFor(target('make'), { path: 'Makefile', text: '' }, 'kqzjx')).toEqual([])
  })
})
