import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { collectEvents, endIn } from '../../../../test/conformance/agent-events.ts'
import { useContainments } from '../../../../test/conformance/containments.ts'
import { type ScriptedWorld, scriptedWorld } from '../../../../test/conformance/scripted-world.ts'
import { SOON } from '../../../../test/patience.ts'
import type { AgentRound } from '../../../ports/agent-driver.ts'
import { pidsInside } from '../../../process/end/working-folders.ts'

describe.each(await useContainments())('the agent and its commands under $kind', (containment) => {
  let world: ScriptedWorld
  beforeEach(async () => {
    world = await scriptedWorld(containment)
  })
  afterEach(() => world.leave())

  const run = (...commands: string[]): AgentRound =>
    world.play(JSON.stringify([{ task: '*', steps: commands.map((command) => ({ run: command })) }]))

  test('leave no process behind: not in the background, not in a session of its own, not with its output open', async () => {
    const leaver = 'setsid sleep 1000 & (trap "" TERM HUP; sleep 1000) & sleep 1000 >/dev/null 2>&1 &'
    const events = await collectEvents(run(leaver, 'cd / && cd - && echo next'))
    expect(endIn(events)).toMatchObject({ kind: 'ok' })
    expect(pidsInside(world.folder)).toEqual([])
    expect(readdirSync(world.pidFolder)).toEqual([])
  })

  test('end in time when cancelled, even if they ignore signals', async () => {
    const round = run('trap "" TERM; setsid sleep 1000 & touch here; sleep 1000; sleep 1000')
    const events = collectEvents(round)
    await expect.poll(() => existsSync(join(world.folder, 'here')), SOON).toBe(true)
    round.cancel('timeout')
    expect(endIn(await events)).toEqual({
      kind: 'timeout',
      detail: 'The round ran out of time.',
      claim: null,
      resetAt: null,
      note: null,
    })
    expect(pidsInside(world.folder)).toEqual([])
  })

  test('end when the reader of events stops', async () => {
    for await (const event of run('touch here; sleep 1000').events) {
      if (event.kind === 'activity' && event.activity.kind === 'tool') break
    }
    expect(pidsInside(world.folder)).toEqual([])
  })

  test('have crashed when a command kills the agent', async () => {
    const end = endIn(await collectEvents(run('kill -9 $PPID; sleep 1000')))
    const how = containment.kind === 'bwrap' ? 'exit code 137 (signal 9)' : 'ended by SIGKILL'
    expect(end).toEqual({
      kind: 'crashed',
      detail: `The agent ended without a result: ${how}`,
      claim: null,
      resetAt: null,
      note: null,
    })
  })
})
