import { afterEach, describe, expect, test } from 'vitest'
import type { AgentSettings, JudgeSettings } from '../../src/core/model/settings.ts'
import type { Judge } from '../../src/ports/judge.ts'
import type { JudgePlan } from '../judges/judge-server.ts'
import { HANG_MS } from '../patience.ts'
import { within } from './within.ts'

/** A judge, and what stands behind its address. */
export interface JudgeWorld {
  readonly judge: Judge
  readonly settings: JudgeSettings
  readonly agent: AgentSettings
  /** What the model was told. */
  told(): readonly { readonly system: string; readonly prompt: string }[]
  leave(): Promise<void>
}

const FINE: JudgePlan = { kind: 'says', text: '{"ready": true}' }

/** What every judge promises. */
export function judgeConformance(name: string, make: (plan: JudgePlan) => Promise<JudgeWorld>): void {
  describe(`a judge: ${name}`, () => {
    let made: JudgeWorld | null = null
    afterEach(async () => made?.leave())
    const given = async (plan: JudgePlan): Promise<JudgeWorld> => {
      made = await make(plan)
      return made
    }
    answers(given)
    failsInWords(given)
    ends(given)
  })
}

type Given = (plan: JudgePlan) => Promise<JudgeWorld>

function answers(given: Given): void {
  test('what the model says comes back as it is', async () => {
    const world = await given({ kind: 'says', text: ' {"ready": true}\n' })
    expect(await ask(world)).toBe(' {"ready": true}\n')
    expect(world.told()).toEqual([{ system: 'You are a judge.', prompt: 'Is it good?' }])
  })

  test('prose comes back too: whoever asked decides what it is worth', async () => {
    expect(await ask(await given({ kind: 'says', text: 'Well, it depends.' }))).toBe('Well, it depends.')
  })
}

function failsInWords(given: Given): void {
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
    const problem = await within(HANG_MS, ask(await given(plan)))
    expect(problem).toMatchObject({
      kind: 'problem',
      code,
      retry,
      hint: expect.stringMatching(/judge\.|Start it|Look at agent/),
    })
  })

  test('nobody at the address', async () => {
    const world = await given(FINE)
    await world.leave()
    expect(await within(HANG_MS, ask(world))).toMatchObject({ code: 'judge-unreachable', retry: 'later' })
  })
}

function ends(given: Given): void {
  test('one that is called off ends at once', async () => {
    const world = await given({ kind: 'hangs' })
    const calledOff = new AbortController()
    const asked = ask(world, calledOff.signal)
    expect(await within(100, asked)).toBe('not yet')
    calledOff.abort()
    expect(await within(HANG_MS, asked)).toMatchObject({ code: 'cancelled' })
  })

  test('one that is called off beforehand says nothing', async () => {
    expect(await ask(await given(FINE), AbortSignal.abort())).toMatchObject({ code: 'cancelled' })
  })
}

function ask({ judge, settings, agent }: JudgeWorld, signal = new AbortController().signal) {
  const question = { judge: settings, agent, system: 'You are a judge.', prompt: 'Is it good?', tokensMax: 100 }
  return judge.ask(question, signal, () => {})
}
