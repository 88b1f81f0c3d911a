import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { TEST_ENV, useContainment } from '../../../../test/conformance/containments.ts'
import type { SessionId } from '../../../core/model/ids.ts'
import type { AgentEvent } from '../../../ports/agent-driver.ts'
import { pidsInside } from '../../../process/end/working-folders.ts'
import { scriptedRound } from './round.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul-round-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const RESULT = '{"type":"result","kind":"ok","detail":"fine","claim":null,"resetAt":null,"note":null}'
const FINE = { kind: 'ended', end: { kind: 'ok', detail: 'fine', claim: null, resetAt: null, note: null } }

// Under bwrap a program's output stays open as long as bwrap does, whatever the program closes.
const containment = await useContainment('guard')

describe('a round', () => {
  test('takes whatever its program writes, and its result last, with or without a line break', async () => {
    expect(await play(String.raw`printf 'garbage\n{"type":\n\n{"type":"new"}\n\377\n%s' '${RESULT}'`)).toEqual([
      ...['garbage', '{"type":', '', '{"type":"new"}', '�', RESULT].map((line) => ({ kind: 'raw', line })),
      FINE,
    ])
  })

  test('counts the first result, also when the program then fails', async () => {
    const second = RESULT.replace('fine', 'finer')
    expect((await play(`echo '${RESULT}'; echo '${second}'; exit 1`)).at(-1)).toEqual(FINE)
  })

  test('a program that stays after its result is ended', async () => {
    expect((await play(`echo '${RESULT}'; sleep 1000`)).at(-1)).toEqual(FINE)
    expect(pidsInside(folder)).toEqual([])
  })

  // Under bwrap the output stays open as long as bwrap does: such a program just hangs.
  test.runIf(containment.kind === 'guard')(
    'a program that closes its output and stays is ended and has crashed',
    async () => {
      expect((await play('exec >&-; sleep 1000')).at(-1)).toMatchObject({ end: { kind: 'crashed', claim: null } })
      expect(pidsInside(folder)).toEqual([])
    },
  )

  test.each([
    ['exit 0', 'exit code 0'],
    ['exit 3', 'exit code 3'],
    ['echo one >&2; echo two >&2; exit 3', 'exit code 3, stderr: one two'],
    [`echo '${RESULT.replace('"ok"', '"fine"')}'`, 'exit code 0'],
    [`echo '${RESULT.replace('"claim"', '"clame"')}'`, 'exit code 0'],
  ])('a program without a result has crashed: %s', async (script, how) => {
    expect((await play(script)).at(-1)).toEqual({
      kind: 'ended',
      end: {
        kind: 'crashed',
        detail: `The agent ended without a result: ${how}`,
        claim: null,
        resetAt: null,
        note: null,
      },
    })
  })

  test('a program that is not there has crashed', async () => {
    expect(await play('', '/no/such/agent')).toMatchObject([
      { kind: 'ended', end: { kind: 'crashed', detail: '/no/such/agent was not found, or may not be run.' } },
    ])
  })

  async function play(script: string, file = '/bin/sh'): Promise<AgentEvent[]> {
    const { events } = scriptedRound(async () => ({
      session: 's' as SessionId,
      order: {
        task: 't',
        title: 'T',
        attempt: 1,
        phase: 'implement',
        phaseRound: 1,
        round: 1,
        session: 's',
        model: 'm',
        access: 'workspace',
        prompt: 'Do it.',
        steps: [],
      },
      program: {
        file,
        args: ['-c', script],
        cwd: folder,
        env: TEST_ENV,
        containment,
        folder,
        stdin: 'pipe',
        pidFile: join(folder, 'pids', 'round-1.pid'),
      },
    }))
    const seen: AgentEvent[] = []
    for await (const event of events) seen.push(event)
    return seen
  }
})
