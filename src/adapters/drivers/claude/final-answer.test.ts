import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectEvents, endIn } from '../../../../test/conformance/agent-events.ts'
import { type ClaudeWorld, claudeWorld } from '../../../../test/conformance/claude-world.ts'
import { useContainment } from '../../../../test/conformance/containments.ts'
import { REAL_CLOCK } from '../../../../test/conformance/real-clock.ts'
import type { SessionId } from '../../../core/model/ids.ts'
import type { AgentEvent } from '../../../ports/agent-driver.ts'

const WRONG = { answer: { status: 'done', issues: 'none at all' } }
const ISSUE = { severity: 'high', file: 'a.ts', line: 3, message: 'it is wrong' }
const FIT = { answer: { status: 'done', issues: [ISSUE] } }

describe('the real Claude Code with a form', () => {
  let world: ClaudeWorld
  beforeAll(async () => {
    world = await claudeWorld(await useContainment())
  })
  afterAll(() => world.leave())

  const options = () => ({ session: REAL_CLOCK.uuid() as SessionId, form: 'review' as const })
  const steps = (...played: object[]) => ({ rules: [{ steps: played }] })

  test('gets the errors of a wrong answer, and ends with a right one; its status overrides a tag', async () => {
    const before = world.requests().length
    const events = await collectEvents(
      await world.play(steps(WRONG, { say: 'Well.\n<phase_continue>' }, FIT), options()),
    )
    expect(endIn(events)).toMatchObject({ kind: 'ok', claim: { kind: 'done' } })
    const review = { issues: [ISSUE], questions: [], positives: [], decision: null }
    expect(answers(events)).toEqual([
      { kind: 'answer', text: 'Well.\n<phase_continue>', report: { kind: 'review', review } },
    ])
    // The right answer is the last turn: nothing follows it.
    const requests = world.requests().slice(before)
    expect(requests).toHaveLength(2)
    expect(requests[0]?.tools).toContain('StructuredOutput')
    expect(JSON.stringify(events)).toContain('/issues: must be array')
  })

  test('has no report after five wrong answers', async () => {
    const events = await collectEvents(await world.play(steps(WRONG, WRONG, WRONG, WRONG, WRONG, FIT), options()))
    expect(endIn(events)).toMatchObject({
      kind: 'ok',
      claim: null,
      detail: expect.stringContaining('after 5 attempts'),
    })
    expect(answers(events)).toEqual([])
  })

  test('is asked once to fill it in, and keeps what it said before, such as its note', async () => {
    const note = 'Goal: review it.\nRemaining: all of it.'
    const rules = [{ match: 'Write the hand-off note', steps: [{ say: note }] }, { steps: [{ run: 'sleep 30' }] }]
    const round = await world.play({ rules }, options())
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
