import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { afterTimeout } from '../../../test/after-timeout.ts'
import { commandGateWorld } from '../../../test/conformance/command-gate-world.ts'
import { useContainment } from '../../../test/conformance/containments.ts'
import type { GateWorld } from '../../../test/conformance/gate.ts'
import { HANG_MS } from '../../../test/patience.ts'
import type { Commit, Tree } from '../../core/model/ids.ts'
import type { GateResult } from '../../ports/gate.ts'
import { pidsInside } from '../../process/end/working-folders.ts'

const containment = await useContainment()

describe('a command gate', () => {
  let world: GateWorld
  beforeEach(async () => {
    world = await commandGateWorld(containment)
  })
  afterEach(() => world.leave())

  const runCommand = (
    run: string,
    given: { folder?: string; env?: Record<string, string>; outputFile?: string } = {},
    timeoutMs = HANG_MS,
    coverage: number | null = null,
  ): Promise<GateResult> => {
    const check = { name: 'tests', run, onFail: 'block' as const, timeoutMs, coverage, canary: null }
    const tested = {
      commit: 'c' as Commit,
      tree: 't' as Tree,
      place: 'workspace' as const,
      setup: [],
      outputFile: null,
    }
    return world.gate.check({ check, folder: world.folder, env: {}, ...tested, ...given }, new AbortController().signal)
  }

  test('runs in the folder, with the built environment and what the order adds, and without input', async () => {
    const { output, receipt } = await runCommand('pwd; echo "$LANG $LONGHAUL_TASK [$USER$SHELL]"; cat', {
      env: { LONGHAUL_TASK: 't1' },
    })
    expect(output).toBe(`${world.folder}\nC.UTF-8 t1 []\n`)
    expect(receipt.outputDigest).toBe(createHash('sha256').update(output).digest('hex'))
  })

  test.each([
    ['no-such-command', /not found\nA command of "no-such-command" was not found \(exit code 127\)\.\n$/],
    ['/etc/passwd', /A command of "\/etc\/passwd" is not executable \(exit code 126\)\.\n$/],
    ['exit 4', /^The check printed nothing and ended with exit code 4\.\n$/],
    ['printf half; kill -9 $$', /^half/],
  ])('explains %j where its output does not', async (run, text) => {
    const { receipt, output } = await runCommand(run)
    expect(output).toMatch(text)
    expect(receipt.passed).toBe(false)
  })

  test('that takes too long says so, after what it had to say', async () => {
    const { receipt, output } = await afterTimeout(join(world.folder, 'said'), (timeoutMs) =>
      runCommand('echo slow; touch said; sleep 1000', {}, timeoutMs),
    )
    expect(receipt).toMatchObject({ passed: false, exitCode: null, timedOut: true })
    expect(output).toBe('slow\nThe check was stopped: it took longer than 1h00m.\n')
  })

  test('that cannot be started is red, and says why', async () => {
    const { receipt, output } = await runCommand('true', { folder: `${world.folder}/gone` })
    expect(receipt).toMatchObject({ passed: false, exitCode: null, timedOut: false, durationMs: 0 })
    const why = `/bin/sh cannot be started in ${world.folder}/gone: there is no such folder.`
    expect(output).toBe(`The check could not be started: ${why}\n`)
  })

  test('keeps head and tail of a long output, the digest of all of it, and all of it in a file that is asked for', async () => {
    const outputFile = join(world.folder, 'output.txt')
    const { output, receipt } = await runCommand('echo first; yes | head -c 1000000; echo last', { outputFile })
    expect(output.length).toBeLessThan(70_000)
    expect(output).toMatch(/^first\n.*bytes left out.*last\n$/s)
    const whole = `first\n${'y\n'.repeat(500_000)}last\n`
    expect(readFileSync(outputFile, 'utf8')).toBe(whole)
    expect(receipt.outputDigest).toBe(createHash('sha256').update(whole).digest('hex'))
  })

  test('reads real tests: how many, which failed and where, and how much they cover', async () => {
    const source = `const { test } = require('node:test')
test('adds', () => {})
test('multiplies', () => { throw new Error('äh: 6 is not 7') })`
    writeFileSync(join(world.folder, 'sum.test.js'), source)
    const { receipt, failures } = await runCommand(`'${process.execPath}' --test`)
    expect(receipt).toMatchObject({ passed: false, exitCode: 1, coverage: null })
    expect(receipt.tests).toMatchObject({ framework: 'node:test', passed: 1, failed: 1, skipped: 0 })
    expect(failures).toMatchObject([{ name: 'multiplies', file: 'sum.test.js', line: 3 }])
    expect(failures[0]?.message).toContain('äh: 6 is not 7')
  })

  test('does not believe an exit code that its output contradicts', async () => {
    const { receipt } = await runCommand("printf 'TAP version 13\\n1..1\\nnot ok 1 - adds\\n'; echo done | cat")
    expect(receipt).toMatchObject({ passed: false, exitCode: 0, tests: { framework: 'tap', passed: 0, failed: 1 } })
  })

  const JUNIT = '<testsuite><testcase name="adds"/><testcase name="multiplies"/></testsuite>'
  const RED = '<testsuite><testcase name="adds"><failure message="no"/></testcase></testsuite>'
  const TAP = 'TAP version 13\\n1..1\\nok 1 - adds\\n'

  test('reads the report that its command asks for rather than its output', async () => {
    const { receipt, names } = await runCommand(`printf '${TAP}'; printf '${JUNIT}' > "$LONGHAUL_TEST_REPORT"`)
    expect(receipt).toMatchObject({ passed: true, tests: { framework: 'tap', passed: 2, failed: 0, skipped: 0 } })
    expect(names.passed).toEqual(['adds', 'multiplies'])
  })

  test('does not pass by its report, but fails by it', async () => {
    const green = await runCommand(`printf '${JUNIT}' > "$LONGHAUL_TEST_REPORT"; exit 1`)
    expect(green.receipt).toMatchObject({ passed: false, exitCode: 1, tests: { passed: 2, failed: 0 } })
    const red = await runCommand(`printf '${TAP}'; printf '${RED}' > "$LONGHAUL_TEST_REPORT"`)
    expect(red.receipt).toMatchObject({ passed: false, exitCode: 0, tests: { passed: 0, failed: 1 } })
    expect(red.failures).toEqual([{ name: 'adds', file: null, line: null, message: 'no' }])
  })

  test('counts failures in the output that its report lacks', async () => {
    const failing = 'TAP version 13\\n1..2\\nok 1 - adds\\nnot ok 2 - divides\\n'
    const { receipt, failures } = await runCommand(`printf '${failing}'; printf '${JUNIT}' > "$LONGHAUL_TEST_REPORT"`)
    expect(receipt).toMatchObject({ passed: false, tests: { passed: 2, failed: 1 } })
    expect(failures).toMatchObject([{ name: 'divides' }])
  })

  test('takes from a report that its command does not ask for only failures', async () => {
    const script = (report: string) =>
      writeFileSync(join(world.folder, 'x'), `printf '${report}' > "$LONGHAUL_TEST_REPORT"`)
    script(JUNIT)
    expect((await runCommand(`printf '${TAP}'; sh x`)).receipt).toMatchObject({ passed: true, tests: { passed: 1 } })
    script(RED)
    expect((await runCommand(`printf '${TAP}'; sh x`)).receipt).toMatchObject({ passed: false, tests: { failed: 1 } })
    expect((await runCommand('sh x')).receipt).toMatchObject({ tests: { framework: 'junit', failed: 1 } })
  })

  test.each([
    ['no report', 'true'],
    ['garbage', 'head -c 100000 /dev/urandom > "$LONGHAUL_TEST_REPORT"'],
    ['a link', `printf '${JUNIT}' > there; ln -s "$PWD/there" "$LONGHAUL_TEST_REPORT"`],
    ['a hard link', `printf '${JUNIT}' > there; ln there "$LONGHAUL_TEST_REPORT"`],
    ['a pipe', 'mkfifo "$LONGHAUL_TEST_REPORT"'],
    ['a folder', 'mkdir "$LONGHAUL_TEST_REPORT"'],
    ['too much', `printf '${JUNIT}' > "$LONGHAUL_TEST_REPORT"; truncate -s 65M "$LONGHAUL_TEST_REPORT"`],
    [
      'a folder that was replaced by a link',
      `d=$(dirname "$LONGHAUL_TEST_REPORT"); rm -r "$d"; mkdir r; printf '${JUNIT}' > r/tests; ln -s "$PWD/r" "$d"`,
    ],
  ])('ignores %s in the place of a report', async (_, run) => {
    const { receipt } = await runCommand(run)
    expect(receipt).toMatchObject({ passed: true, exitCode: 0, tests: null })
  })

  test('gives each run its own place for a report, outside the folder, and removes it', async () => {
    const places = [await runCommand('echo "$LONGHAUL_TEST_REPORT"'), await runCommand('echo "$LONGHAUL_TEST_REPORT"')]
    const [first = '', second = ''] = places.map(({ output }) => output.trim())
    expect(first).not.toBe(second)
    expect(first.startsWith(`${world.folder}/`)).toBe(false)
    expect([first, second].map((place) => existsSync(dirname(place)))).toEqual([false, false])
    expect(places[0]?.receipt.environmentDigest).toBe(places[1]?.receipt.environmentDigest)
  })

  test.each(['cd "web app" && sh run', 'sh run'])('names places from the root: %s', async (run) => {
    mkdirSync(join(world.folder, 'web app/src'), { recursive: true })
    writeFileSync(join(world.folder, 'web app/package.json'), '{}')
    writeFileSync(join(world.folder, 'web app/src/sum.test.js'), '')
    const output =
      'FAIL src/sum.test.js\n  ● adds\n\n    no\n\n      at Object.toBe (src/sum.test.js:5:3)\n\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 1 total\n'
    for (const folder of ['', 'web app/'])
      writeFileSync(join(world.folder, `${folder}run`), `cat <<'END'\n${output}\nEND\n`)
    const { failures } = await runCommand(run)
    expect(failures).toEqual([{ name: 'adds', file: 'web app/src/sum.test.js', line: 5, message: 'no' }])
  })

  test('shows the text in the events of Go', async () => {
    const events =
      '{"Time":"1","Action":"output","Package":"p","Output":"panic: no\\\\n"}\\n{"Time":"1","Action":"fail","Package":"p"}\\n'
    const { output, receipt } = await runCommand(`printf '${events}'; exit 1`)
    expect(output).toBe('panic: no\n')
    expect(receipt.tests).toMatchObject({ framework: 'go', failed: 1 })
  })

  test('that asks for coverage passes with enough of it, and not without', async () => {
    const table = "printf 'All files | 90 | 80 | 70 | 85.5 |\\n'"
    expect((await runCommand(table, {}, HANG_MS, 0.85)).receipt).toMatchObject({
      passed: true,
      tests: null,
      coverage: 0.855,
    })
    expect((await runCommand(table, {}, HANG_MS, 0.9)).receipt).toMatchObject({ passed: false, exitCode: 0 })
    expect((await runCommand('true', {}, HANG_MS, 0.1)).receipt).toMatchObject({ passed: false, coverage: null })
  })

  test('ends what its command leaves running', async () => {
    const { receipt } = await runCommand('setsid sleep 1000 & sleep 1000 & echo ok')
    expect(receipt.passed).toBe(true)
    expect(pidsInside(world.folder)).toEqual([])
  })
})
