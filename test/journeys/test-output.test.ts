import { expect, test } from 'vitest'
import { verifySchema } from '../../src/index.ts'
import { jsonLines, newJourney } from './new-journey.ts'

const TESTS = `const { test } = require('node:test')
const { sum } = require('./sum.js')
test('adds', () => require('node:assert').equal(sum(1, 2), 3))
test('adds nothing', () => require('node:assert').equal(sum(), 0))
`

// The first round claims done with a failing test; the second fixes it after the findings.
const SCRIPT = `- task: "*"
  round: 1
  steps:
    - write: { path: sum.js, text: "exports.sum = (a, b) => a + b" }
    - report: done
- task: "*"
  steps:
    - write: { path: sum.js, text: "exports.sum = (a = 0, b = 0) => a + b" }
    - report: done
`

test('an agent that claims done with a failing test gets its name, place and reason; people see the counts', async () => {
  const journey = newJourney()
  const run = `'${process.execPath}' --test --test-reporter=spec --experimental-test-coverage sum.test.js | tee /dev/null`
  // The pipe hides the exit code, so only the output shows failures; without this the canary would refuse the gate.
  const gate = { name: 'tests', run, coverage: 0.8, canary: 'never' }
  const settings = { agent: { driver: 'scripted', script: 'script.yaml' }, gates: [gate] }
  journey.write('longhaul.yaml', JSON.stringify(settings))
  journey.write('script.yaml', SCRIPT)
  journey.write('sum.js', 'exports.sum = (a = 0, b = 0) => b + a')
  journey.write('sum.test.js', TESTS)
  journey.commit('settings')
  await journey.cliInProcess('add', 'a', '--title', 'A')
  expect((await journey.cli('run')).code).toBe(0)

  const verdicts = jsonLines<{ findings: readonly object[] }>(
    await journey.cliInProcess('log', '--json', '--kind', 'verdict-given'),
  )
  const whole = 'ended with exit code 0, but its output reports failed tests: 1 passed, 1 failed (node:test)'
  expect(verdicts[0]?.findings).toMatchObject([
    { message: expect.stringContaining(whole), file: null },
    { message: expect.stringMatching(/^adds nothing: AssertionError .*NaN == 0$/), file: 'sum.test.js', line: 4 },
  ])
  const prompt = (await journey.cliInProcess('show', 'a', '--prompt', '--round', '2')).stdout
  expect(prompt).toMatch(/Our checks found problems in your work:\n\n- tests: .*failed tests: 1 passed, 1 failed/)
  expect(prompt).toMatch(/\n\nIn sum\.test\.js:\n- line 4, tests: adds nothing: AssertionError .*NaN == 0\n/)
  const shown = (await journey.cliInProcess('show', 'a')).stdout
  expect(shown).toContain('1 passed, 1 failed (node:test)')
  expect(shown).toContain('2 passed (node:test), 100% of lines covered')
  const { receipts } = verifySchema.parse(jsonLines(await journey.cli('verify', 'a', '--json'))[0])
  expect(receipts).toMatchObject([
    { passed: true, tests: { framework: 'node:test', passed: 2, failed: 0 }, coverage: 1 },
  ])
})
