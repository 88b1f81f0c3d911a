import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { testLab } from '../agents/test-lab.ts'
import { type Journey, jsonLines, newJourney, WITHOUT_REVIEWS, WRITES } from './new-journey.ts'

const SUM = 'exports.sum = (a, b) => a + b'
const TESTS = `const { test } = require('node:test')
const assert = require('node:assert')
const { sum } = require('./sum.js')
test('adds', () => assert.equal(sum(1, 2), 3))
test('adds nothing', () => assert.equal(sum(1, 0), 1))
`
const PACKAGE = JSON.stringify({ name: 'sums', scripts: { test: 'node --test' } })
// Tests that are not about npm scripts save the time that npm takes to start.
const [DIRECT, BY_NPM] = ['node --test', 'npm test --silent']

type FindingJson = {
  readonly source: string
  readonly message: string
  readonly needsPerson: boolean
  readonly blames: string
}
type Checked = {
  readonly passed: boolean
  readonly findings: readonly FindingJson[]
  readonly receipts: readonly ReceiptJson[]
}
type ReceiptJson = { readonly passed: boolean; readonly excuse: string | null; readonly cachedFrom: string | null }

/** Runs a task in a project with node:test; the agent writes some files in its first round and others in the next. */
async function runTwoRounds(
  first: Readonly<Record<string, string | null>>,
  then: Readonly<Record<string, string | null>>,
  files: Readonly<Record<string, string>> = {},
  check = DIRECT,
): Promise<{ readonly journey: Journey; readonly code: number | null; readonly checked: readonly Checked[] }> {
  const journey = newJourney()
  const gates = [{ name: 'tests', run: check }]
  const { workflows } = parse(WITHOUT_REVIEWS)
  journey.write(
    'longhaul.yaml',
    JSON.stringify({ agent: { driver: 'scripted', script: 'script.yaml' }, gates, workflows }),
  )
  journey.write(
    'script.yaml',
    JSON.stringify([
      { task: '*', round: 1, steps: [...steps(first), { report: 'done' }] },
      { task: '*', steps: [...steps(then), SEE, { report: 'done' }] },
    ]),
  )
  const project = { 'package.json': PACKAGE, 'sum.js': SUM, 'sum.test.js': TESTS, ...files }
  for (const [path, text] of Object.entries(project)) journey.write(path, text)
  journey.commit('project')
  await journey.cliInProcess('add', 'a', '--title', 'A')
  const { code } = await journey.cli('run')
  const checked = jsonLines<Checked>(await journey.cliInProcess('log', '--json', '--kind', 'verdict-given'))
  return { journey, code, checked }
}

function steps(files: Readonly<Record<string, string | null>>): readonly object[] {
  return Object.entries(files).map(([path, text]) => (text === null ? { delete: path } : { write: { path, text } }))
}

// Copies the output that the agent gets of the failed check.
const SEE = { run: 'cp .longhaul/checks/tests.txt output-seen.txt || true' }
const BROKEN = 'exports.sum = (a, b) => a + (b || 1)'
const FIXED = 'exports.sum = (a, b) => b + a'

describe('work that passes only because it weakened its checks is returned, and lands when they are restored', () => {
  test.each([
    [
      'a failing test is deleted',
      { 'sum.test.js': TESTS.replace(/test\('adds nothing'.*\n/, '') },
      'tests of the check tests are gone: 1 of 2 are left (adds nothing).',
    ],
    [
      'it is marked as skipped',
      { 'sum.test.js': TESTS.replace("test('adds nothing'", "test.skip('adds nothing'") },
      'tests of the check tests are skipped now: adds nothing.',
    ],
    [
      'its file is deleted',
      { 'sum.test.js': null, 'other.test.js': "require('node:test').test('fine', () => {})" },
      'deleted test files: sum.test.js.',
    ],
    [
      'the test script is changed',
      { 'package.json': PACKAGE.replace('node --test', 'true') },
      'the definition of the check tests was changed: scripts.test in package.json was "node --test" and is "true".',
      BY_NPM,
    ],
  ])('%s', async (_, change, message, check = DIRECT) => {
    const restored = { 'package.json': PACKAGE, 'sum.test.js': TESTS, 'sum.js': FIXED }
    const { journey, code, checked } = await runTwoRounds({ 'sum.js': BROKEN, ...change }, restored, {}, check)
    expect(code).toBe(0)
    expect(checked.map(({ passed }) => passed)).toEqual([false, true])
    expect(checked[0]?.findings[0]).toMatchObject({
      source: 'checks',
      message: expect.stringContaining(message),
      needsPerson: true,
    })
    expect(journey.git('show', 'main:sum.js')).toBe(FIXED)
    expect((await journey.cliInProcess('show', 'a', '--prompt', '--round', '2')).stdout).toContain(message)
  })

  test('also at landing, for a weight that is checked only then', async () => {
    const journey = newJourney()
    journey.write(
      'longhaul.yaml',
      JSON.stringify({
        agent: { driver: 'scripted', script: 'script.yaml' },
        gates: [{ name: 'tests', run: DIRECT }],
      }),
    )
    const change = steps({ 'sum.test.js': TESTS.replaceAll('test(', 'test.skip('), 'sum.js': BROKEN })
    journey.write(
      'script.yaml',
      JSON.stringify([
        { task: '*', round: 1, steps: [...change, { report: 'done' }] },
        { task: '*', steps: [...steps({ 'sum.test.js': TESTS, 'sum.js': FIXED }), { report: 'done' }] },
      ]),
    )
    for (const [path, text] of Object.entries({ 'package.json': PACKAGE, 'sum.js': SUM, 'sum.test.js': TESTS })) {
      journey.write(path, text)
    }
    journey.commit('project')
    await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
    expect((await journey.cli('run')).code).toBe(0)
    const [refused] = jsonLines<Checked>(await journey.cliInProcess('log', '--json', '--kind', 'candidate-refused'))
    expect(refused?.findings).toMatchObject([
      { source: 'checks', message: expect.stringContaining('skipped now: ') },
      { source: 'base tests', message: expect.stringContaining('adds nothing'), needsPerson: true },
    ])
  })
})

describe('work is returned only for its own failures', () => {
  const OLD = "\ntest('broken for ages', () => assert.equal(sum(2, 2), 5))\n"

  test('tests that failed before do not block landing, and the agent gets only its own failures', async () => {
    const files = { 'sum.test.js': `${TESTS}${OLD}` }
    const { journey, code, checked } = await runTwoRounds({ 'sum.js': BROKEN }, { 'sum.js': FIXED }, files)
    expect(code).toBe(0)
    const messages = checked[0]?.findings.map(({ message }) => message) ?? []
    expect(messages).toEqual([
      expect.stringContaining('1 passed, 2 failed (node:test); 1 failed before this work, too'),
      expect.stringMatching(/^adds nothing: /),
    ])
    expect(checked[0]?.findings[1]).toMatchObject({ file: 'sum.test.js', line: 5 })
    expect(checked[0]?.findings[0]).toMatchObject({ outputFile: '.longhaul/checks/tests.txt' })
    const prompt = (await journey.cliInProcess('show', 'a', '--prompt', '--round', '2')).stdout
    expect(prompt).toContain('Full output: .longhaul/checks/tests.txt')
    expect(journey.read('output-seen.txt')).toContain('adds nothing')
    expect(checked[1]).toMatchObject({
      passed: true,
      receipts: [{ passed: false, excuse: '1 failed before this work, too' }],
    })
    const [landed] = jsonLines<Checked>(await journey.cliInProcess('log', '--json', '--kind', 'landed'))
    expect(landed?.receipts).toMatchObject([{ passed: false, excuse: '1 failed before this work, too' }])
    expect((await journey.cliInProcess('show', 'a')).stdout).toContain('1 failed before this work, too')
    expect((await journey.status()).tasks[0]?.proof).toContain('1 failed before this work, too')
    const verified = await journey.cli('verify', 'a')
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('1 failed before this work, too') })
    expect(verified.stdout).toContain('a passes, with the failures that its landing excused.')
  })

  test('a flaky test is reported but does not block', async () => {
    const flaky = `
test('moody', () => {
  const fs = require('node:fs')
  const mark = require('node:path').join(process.env.HOME, 'mood')
  const isSecond = fs.existsSync(mark)
  if (fs.existsSync('mood.txt')) fs.writeFileSync(mark, '')
  assert.ok(isSecond || !fs.existsSync('mood.txt'))
})
`
    const files = { 'sum.test.js': `${TESTS}${flaky}` }
    const { journey, code, checked } = await runTwoRounds({ 'mood.txt': 'x', 'sum.js': FIXED }, {}, files)
    expect(code).toBe(0)
    expect(checked).toMatchObject([
      { passed: true, receipts: [{ passed: false, excuse: 'flaky: moody' }, { passed: true }] },
    ])
    expect((await journey.cliInProcess('show', 'a')).stdout).toContain('flaky: moody')
  })

  test('a missing tool is the fault of the environment, but not a pass', async () => {
    const scripts = { 'package.json': JSON.stringify({ scripts: { test: 'sh check.sh' } }), 'check.sh': 'no-such-tool' }
    const { code, checked } = await runTwoRounds({ 'sum.js': FIXED }, { 'other.js': '1' }, scripts, BY_NPM)
    expect(code).toBe(3)
    expect(checked[0]?.findings).toMatchObject([
      { source: 'tests', blames: 'environment', message: expect.stringContaining('a command was not found') },
    ])
    expect(checked).toHaveLength(1)
  })
})

test('a check that passed on the same files does not run again in the next run, but always in verify', async () => {
  const journey = newJourney({
    'longhaul.yaml': JSON.stringify({
      agent: { driver: 'scripted', script: 'script.yaml' },
      gates: [{ name: 'tests', run: 'echo ran >> "$HOME/ran.txt"' }],
    }),
    'script.yaml': WRITES,
  })
  const ran = () => readFileSync(join(journey.env.HOME ?? '', 'ran.txt'), 'utf8').split('\n').length - 1
  await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
  expect((await journey.cli('run')).code).toBe(0)
  expect(ran()).toBe(2)
  const landed = journey.git('rev-parse', 'main')
  await journey.cliInProcess('add', 'b', '--title', 'B', '--weight', 'trivial')
  expect((await journey.cli('run')).code).toBe(0)
  expect(ran()).toBe(3)
  const baselines = jsonLines<Checked>(await journey.cliInProcess('log', '--json', '--kind', 'baseline-checked'))
  expect(baselines.at(-1)?.receipts).toMatchObject([{ passed: true, cachedFrom: landed }])
  expect((await journey.cli('verify', 'b')).code).toBe(0)
  expect(ran()).toBe(4)
})

test('the real Claude Code that skips tests gets its work back and fixes it', async () => {
  const rounds = (files: Readonly<Record<string, string>>) => [
    ...Object.entries(files).map(([path, text]) => ({ write: { path, text } })),
    { report: 'done' },
  ]
  const skipped = { 'sum.js': BROKEN, 'sum.test.js': TESTS.replace("test('adds nothing'", "test.skip('adds nothing'") }
  const lab = await testLab(
    JSON.stringify({
      rules: [
        { task: 'a', match: 'skipped now: adds nothing', steps: rounds({ 'sum.js': FIXED, 'sum.test.js': TESTS }) },
        { task: 'a', steps: rounds(skipped) },
      ],
    }),
  )
  const env = { ANTHROPIC_BASE_URL: lab.url, CLAUDE_CODE_OAUTH_TOKEN: 'test-token' }
  const gates = [{ name: 'tests', run: DIRECT }]
  const journey = newJourney({
    'longhaul.yaml': JSON.stringify({
      agent: { driver: 'claude', env },
      gates,
      workflows: parse(WITHOUT_REVIEWS).workflows,
    }),
    'package.json': PACKAGE,
    'sum.js': SUM,
    'sum.test.js': TESTS,
  })
  await journey.cliInProcess('add', 'a', '--title', 'A')
  expect((await journey.cli('run')).code).toBe(0)
  const checked = jsonLines<Checked>(await journey.cliInProcess('log', '--json', '--kind', 'verdict-given'))
  expect(checked.map(({ passed }) => passed)).toEqual([false, true])
  expect(journey.git('show', 'main:sum.test.js')).toBe(TESTS.trim())
})

test('work that weakens a check on purpose waits for a person, and lands after approval', async () => {
  const obsolete = { 'sum.js': FIXED, 'sum.test.js': TESTS.replace(/test\('adds nothing'.*\n/, '') }
  const { journey, code } = await runTwoRounds(obsolete, {})
  expect(code).toBe(3)
  const [task] = (await journey.status()).tasks
  expect(task).toMatchObject({
    state: 'needs-person',
    reason: expect.stringContaining('"longhaul approve a"'),
  })
  expect((await journey.cliInProcess('approve', 'a', 'the test is obsolete')).code).toBe(0)
  expect((await journey.cli('run')).code).toBe(0)
  expect((await journey.status()).tasks).toMatchObject([{ state: 'done', attempts: 1 }])
  expect(journey.git('show', 'main:sum.js')).toBe(FIXED)
})
