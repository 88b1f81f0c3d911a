import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectEvents, endIn } from '../../../../test/conformance/agent-events.ts'
import { type ClaudeWorld, claudeWorld } from '../../../../test/conformance/claude-world.ts'
import { useContainment } from '../../../../test/conformance/containments.ts'
import { REAL_CLOCK } from '../../../../test/conformance/real-clock.ts'
import type { SessionId } from '../../../core/model/ids.ts'
import type { AgentEvent } from '../../../ports/agent-driver.ts'

const UNFIT = { answer: { status: 'done', issues: 'none at all' } }
const ISSUE = { severity: 'high', file: 'a.ts', line: 3, message: 'it is wrong' }
const FIT = { answer: { status: 'done', issues: [ISSUE] } }

describe('the real Claude Code that is given a form', () => {
  let world: ClaudeWorld
  beforeAll(async () => {
    world = await claudeWorld(await useContainment())
  })
  afterAll(() => world.leave())

  const given = () => ({ session: REAL_CLOCK.uuid() as SessionId, form: 'review' as const })
  const steps = (...played: object[]) => ({ rules: [{ steps: played }] })

  test('is told what does not fit, and ends with what does; its status counts over a tag', async () => {
    const before = world.requests().length
    const events = await collectEvents(await world.play(steps(UNFIT, { say: 'Well.\n<phase_continue>' }, FIT), given()))
    expect(endIn(events)).toMatchObject({ kind: 'ok', claim: { kind: 'done' } })
    const review = { issues: [ISSUE], questions: [], positives: [], decision: null }
    expect(answers(events)).toEqual([
      { kind: 'answer', text: 'Well.\n<phase_continue>', report: { kind: 'review', review } },
    ])
    // The right answer is the last turn: nothing has to be said after it.
    const requests = world.requests().slice(before)
    expect(requests).toHaveLength(2)
    expect(requests[0]?.tools).toContain('StructuredOutput')
    expect(JSON.stringify(events)).toContain('/issues: must be array')
  })

  test('has given no report after five that do not fit', async () => {
    const events = await collectEvents(await world.play(steps(UNFIT, UNFIT, UNFIT, UNFIT, UNFIT, FIT), given()))
    expect(endIn(events)).toMatchObject({
      kind: 'ok',
      claim: null,
      detail: expect.stringContaining('after 5 attempts'),
    })
    expect(answers(events)).toEqual([])
  })

  test('is told once to fill it in, and what it said before is not lost: not even its note', async () => {
    const note = 'Goal: review it.\nRemaining: all of it.'
    const rules = [{ match: 'Write the hand-off note', steps: [{ say: note }] }, { steps: [{ run: 'sleep 30' }] }]
    const round = await world.play({ rules }, given())
    const events: AgentEvent[] = []
    for await (const event of round.events) {
      events.push(event)
      if (event.kind === 'usage') round.handOver('now')
    }
    expect(endIn(events)).toMatchObject({ kind: 'context-exhausted', note: `${note}\n\n${note}` })
    expect(JSON.stringify(events).match(/\[structured-output-enforce\]/g)).toHaveLength(1)
  })
})

function answers(events: readonly AgentEvent[]): readonly AgentEvent[] {
  return events.filter(({ kind }) => kind === 'answer')
}
