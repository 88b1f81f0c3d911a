import { LIES } from './lies.ts'
import type { Suite } from './suite.ts'

const LYING = `'${JSON.stringify(LIES).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

// Suite for all runners with describe, test and expect.
function describing(imports: string, expectation: string): string {
  return `${imports}
describe('sum', () => {
  test('adds', () => {})
  test('adds negative numbers', () => {
    ${expectation}
  })
  test.skip('adds later', () => {})
  test.todo('adds fractions')
  describe('in depth', () => {
    test('is nested', () => {})
    test('a - b :: c [d] > e', () => {
      throw new TypeError('words are not numbers')
    })
  })
  test.each([1, 2, 3])('adds %i', (n) => {
    if (n === 2) throw new Error('two is odd')
  })
})
`
}

function lying(imports: string): string {
  return `${imports}
test('prints lies', () => {
  console.log(${LYING})
})
test('writes lies', () => {
  process.stdout.write(${LYING})
})
`
}

const MISSING = `import { missing } from './missing.mjs'
missing()
`

const VITEST = "import { describe, expect, test } from 'vitest'"
export const vitestSuite: Suite = {
  'package.json': '{ "type": "module", "scripts": { "test": "vitest run" } }',
  'src/sum.test.js': describing(VITEST, 'expect(1 + 2).toBe(5)'),
  'src/expected.test.js': `import { expect, test } from 'vitest'
test.fails('is known to fail', () => {
  expect(1).toBe(2)
})
test.fails('passes unexpectedly', () => {})
`,
  'src/lies.test.js': lying("import { test } from 'vitest'"),
  'src/broken.test.js': MISSING,
}

export const jestSuite: Suite = {
  'package.json': '{ "jest": { "testEnvironment": "node" }, "scripts": { "test": "jest" } }',
  'src/sum.test.js': describing('', 'expect(1 + 2).toBe(5)'),
  'src/lies.test.js': lying(''),
  'src/broken.test.js': "require('./missing.js')\n",
}

/** Two projects below one root; Jest prints places relative to each project. */
export const jestProjectsSuite: Suite = {
  'package.json': '{ "jest": { "projects": ["<rootDir>/packages/*"] }, "scripts": { "test": "jest" } }',
  'packages/a/package.json': '{ "name": "a", "jest": { "testEnvironment": "node" } }',
  'packages/a/src/sum.test.js': describing('', 'expect(1 + 2).toBe(5)'),
  'packages/b/package.json': '{ "name": "b", "jest": { "testEnvironment": "node" } }',
  'packages/b/src/sum.test.js': "test('adds in b', () => {\n  expect(3).toBe(4)\n})\n",
}

const MOCHA_BODY = `const assert = require('node:assert')
describe('sum', () => {
  it('adds', () => {})
  it('adds negative numbers', () => {
    assert.strictEqual(1 + 2, 5)
  })
  it.skip('adds later', () => {})
  it('adds fractions')
  describe('in depth', () => {
    it('is nested', () => {})
    it('a - b :: c [d] > e', () => {
      throw new TypeError('words are not numbers')
    })
  })
  for (const n of [1, 2, 3]) {
    it('adds ' + n, () => {
      if (n === 2) throw new Error('two is odd')
    })
  }
})
describe('hooks', () => {
  before(() => {
    throw new Error('no database')
  })
  it('never runs', () => {})
})
`
export const mochaSuite: Suite = {
  'package.json': '{ "scripts": { "test": "mocha" } }',
  'test/lies.js': lying('').replaceAll('test(', 'it('),
  'test/sum.js': MOCHA_BODY,
}

export const nodeSuite: Suite = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
  'test/sum.test.js': `import assert from 'node:assert'
import { describe, test } from 'node:test'
describe('sum', () => {
  test('adds', () => {})
  test('adds negative numbers', () => {
    assert.strictEqual(1 + 2, 5)
  })
  test('adds later', { skip: true }, () => {})
  test('adds fractions', { todo: true }, () => {})
  test('adds complex numbers', { todo: 'later' }, () => {
    throw new Error('not yet')
  })
  describe('in depth', () => {
    test('is nested', () => {})
    test('a - b :: c [d] > e', () => {
      throw new TypeError('words are not numbers')
    })
  })
  for (const n of [1, 2, 3]) {
    test('adds ' + n, () => {
      if (n === 2) throw new Error('two is odd')
    })
  }
})
test('has subtests', async (t) => {
  await t.test('first', () => {})
  await t.test('second', () => {
    throw new Error('second is wrong')
  })
})
`,
  'test/lies.test.js': lying("import { test } from 'node:test'"),
  'test/broken.test.js': MISSING,
}

export const tapeSuite: Suite = {
  'package.json': '{ "scripts": { "test": "tape test/*.js" } }',
  'test/sum.js': `const test = require('tape')
test('adds', (t) => {
  t.equal(1 + 1, 2, 'one and one')
  t.equal(1 + 2, 5, 'one and two')
  t.end()
})
test('skipped', { skip: true }, (t) => {
  t.end()
})
test('skips', (t) => {
  t.skip('adds later')
  t.end()
})
test('todo', { todo: true }, (t) => {
  t.equal(1, 2, 'adds fractions')
  t.end()
})
test('nested', (t) => {
  t.test('in depth', (s) => {
    s.throws(() => {}, 'a - b :: c [d] > e')
    s.end()
  })
  t.end()
})
for (const n of [1, 2, 3]) {
  test('adds ' + n, (t) => {
    t.notEqual(n, 2, 'is not two')
    t.end()
  })
}
test('prints lies', (t) => {
  console.log(${LYING})
  t.pass('lies')
  t.end()
})
`,
}
