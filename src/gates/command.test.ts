import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { commandGateWorld } from '../../test/conformance/command-gate-world.ts'
import { useContainment } from '../../test/conformance/containments.ts'
import type { GateWorld } from '../../test/conformance/gate.ts'
import type { Commit, Tree } from '../core/model/ids.ts'
import type { GateResult } from '../ports/gate.ts'
import { pidsInside } from '../process/working-folders.ts'

const containment = await useContainment()

describe('a command gate', { timeout: 30_000 }, () => {
  let world: GateWorld
  beforeEach(async () => {
    world = await commandGateWorld(containment)
  })
  afterEach(() => world.leave())

  const judge = (
    run: string,
    given: { folder?: string; env?: Record<string, string> } = {},
    timeoutMs = 20_000,
  ): Promise<GateResult> => {
    const check = { name: 'tests', run, onFail: 'block' as const, timeoutMs }
    const tested = { commit: 'c' as Commit, tree: 't' as Tree, place: 'workspace' as const }
    return world.gate.judge({ check, folder: world.folder, env: {}, ...tested, ...given }, new AbortController().signal)
  }

  test('runs in the folder, with the built environment and what the order adds, and without input', async () => {
    const { output, receipt } = await judge('pwd; echo "$LANG $LONGHAUL_TASK [$USER$SHELL]"; cat', {
      env: { LONGHAUL_TASK: 't1' },
    })
    expect(output).toBe(`${world.folder}\nC.UTF-8 t1 []\n`)
    expect(receipt.outputDigest).toBe(createHash('sha256').update(output).digest('hex'))
  })

  test.each([
    ['no-such-command', /not found\nA command of "no-such-command" was not found \(exit code 127\)\.\n$/],
    ['/etc/passwd', /A command of "\/etc\/passwd" may not be run \(exit code 126\)\.\n$/],
    ['exit 4', /^The check said nothing and ended with exit code 4\.\n$/],
    ['printf half; kill -9 $$', /^half/],
  ])('tells of %j what its output does not', async (run, text) => {
    const { receipt, output } = await judge(run)
    expect(output).toMatch(text)
    expect(receipt.passed).toBe(false)
  })

  test('that takes too long says so, after what it had to say', async () => {
    const { receipt, output } = await judge('echo slow; sleep 1000', {}, 100)
    expect(receipt).toMatchObject({ passed: false, exitCode: null, timedOut: true })
    expect(output).toBe('slow\nThe check was stopped: it took longer than 0.1 s.\n')
  })

  test('that cannot be started is red, and says why', async () => {
    const { receipt, output } = await judge('true', { folder: `${world.folder}/gone` })
    expect(receipt).toMatchObject({ passed: false, exitCode: null, timedOut: false, durationMs: 0 })
    const why = `/bin/sh cannot be started in ${world.folder}/gone: there is no such folder.`
    expect(output).toBe(`The check could not be started: ${why}\n`)
  })

  test('keeps head and tail of a long output, and the digest of all of it', async () => {
    const { output, receipt } = await judge('echo first; yes | head -c 1000000; echo last')
    expect(output.length).toBeLessThan(70_000)
    expect(output).toMatch(/^first\n.*bytes left out.*last\n$/s)
    const whole = `first\n${'y\n'.repeat(500_000)}last\n`
    expect(receipt.outputDigest).toBe(createHash('sha256').update(whole).digest('hex'))
  })

  test('ends what its command leaves running', async () => {
    const { receipt } = await judge('setsid sleep 1000 & sleep 1000 & echo ok')
    expect(receipt.passed).toBe(true)
    expect(pidsInside(world.folder)).toEqual([])
  })
})
