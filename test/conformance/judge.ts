import { afterEach, describe, expect, test } from 'vitest'
import type { AgentSettings, JudgeSettings } from '../../src/core/model/settings.ts'
import type { Judge } from '../../src/ports/judge.ts'
import type { JudgePlan } from '../judges/judge-server.ts'
import { HANG_MS } from '../patience.ts'
import { settledWithin } from './settled-within.ts'

/** A judge and the model behind its address. */
export interface JudgeWorld {
  readonly judge: Judge
  readonly settings: JudgeSettings
  readonly agent: AgentSettings
  /** Questions that reached the model. */
  questions(): readonly { readonly system: string; readonly prompt: string }[]
  leave(): Promise<void>
}

const FINE: JudgePlan = { kind: 'says', text: '{"ready": true}' }

/** Conformance suite for judges. */
export function judgeConformance(name: string, make: (plan: JudgePlan) => Promise<JudgeWorld>): void {
  describe(`a judge: ${name}`, () => {
    let world: JudgeWorld | null = null
    afterEach(async () => world?.leave())
    const open: OpenWorld = async (plan) => {
      world = await make(plan)
      return world
    }
    answers(open)
    reportsProblems(open)
    ends(open)
  })
}

type OpenWorld = (plan: JudgePlan) => Promise<JudgeWorld>

function answers(open: OpenWorld): void {
  test('the answer of the model is returned unchanged', async () => {
    const world = await open({ kind: 'says', text: ' {"ready": true}\n' })
    expect(await ask(world)).toBe(' {"ready": true}\n')
    expect(world.questions()).toEqual([{ system: 'You are a judge.', prompt: 'Is it good?' }])
  })

  test('prose is returned too: the caller decides whether it is usable', async () => {
    expect(await ask(await open({ kind: 'says', text: 'Well, it depends.' }))).toBe('Well, it depends.')
  })
}

function reportsProblems(open: OpenWorld): void {
  test.each<[string, JudgePlan, string, string]>([
    ['an unknown model', { kind: 'status', status: 404, body: '{"error":"no model"}' }, 'judge-refused', 'person'],
    ['a wrong key', { kind: 'status', status: 401, body: 'who are you' }, 'judge-refused', 'person'],
    ['a busy endpoint', { kind: 'status', status: 503, body: '' }, 'judge-refused', 'later'],
    ['a page instead of JSON', { kind: 'raw', body: '<html>hello' }, 'judge-unreadable', 'later'],
    ['JSON of another form', { kind: 'raw', body: '{"ok": true}' }, 'judge-unreadable', 'later'],
    ['an empty answer', { kind: 'says', text: '  ' }, 'judge-unreadable', 'later'],
    ['an answer that was cut off', { kind: 'cut', text: '{"a": "b' }, 'judge-unreadable', 'later'],
    ['an answer without end', { kind: 'huge' }, 'judge-unreadable', 'later'],
    ['half an answer', { kind: 'half' }, 'judge-unreachable', 'later'],
  ])('%s', async (_, plan, code, retry) => {
    const problem = await settledWithin(HANG_MS, ask(await open(plan)))
    expect(problem).toMatchObject({
      kind: 'problem',
      code,
      retry,
      hint: expect.stringMatching(/judge\.|Start it|Look at agent/),
    })
  })

  test('an address where no server listens', async () => {
    const world = await open(FINE)
    await world.leave()
    expect(await settledWithin(HANG_MS, ask(world))).toMatchObject({ code: 'judge-unreachable', retry: 'later' })
  })
}

function ends(open: OpenWorld): void {
  test('a cancelled question ends immediately', async () => {
    const world = await open({ kind: 'hangs' })
    const cancellation = new AbortController()
    const answer = ask(world, cancellation.signal)
    expect(await settledWithin(100, answer)).toBe('not yet')
    cancellation.abort()
    expect(await settledWithin(HANG_MS, answer)).toMatchObject({ code: 'cancelled' })
  })

  test('a question that is cancelled beforehand is not answered', async () => {
    expect(await ask(await open(FINE), AbortSignal.abort())).toMatchObject({ code: 'cancelled' })
  })
}

function ask({ judge, settings, agent }: JudgeWorld, signal = new AbortController().signal) {
  const question = { judge: settings, agent, system: 'You are a judge.', prompt: 'Is it good?', tokensMax: 100 }
  return judge.ask(question, signal, () => {})
}
