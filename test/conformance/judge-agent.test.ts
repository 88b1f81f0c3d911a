import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentJudge } from '../../src/adapters/judges/agent.ts'
import type { JudgeUsage } from '../../src/core/model/round.ts'
import { PLAIN_AGENT } from '../../src/core/model/settings.ts'
import { askJudge } from '../../src/engine/ask-judge.ts'
import type { AgentDriver, RoundSpec } from '../../src/ports/agent-driver.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { pidsInside } from '../../src/process/end/working-folders.ts'
import { JUDGE } from '../given/given-attempt.ts'
import type { JudgePlan } from '../judges/judge-server.ts'
import { HANG_MS } from '../patience.ts'
import { useContainment } from './containments.ts'
import { type JudgeWorld, judgeConformance } from './judge.ts'
import { REAL_CLOCK } from './real-clock.ts'
import { scriptedWorld } from './scripted-world.ts'

const containment = await useContainment()
const SETTINGS = { ...JUDGE, driver: 'agent', model: null, url: null }

judgeConformance('the agent itself', (plan) => agentWorld(stepsFor(plan)))

test('answers one question at a time, waiting does not count against the timeout, and a cancelled agent is gone before the next', async () => {
  const world = await agentWorld([{ say: '{"ready": true}' }])
  const hanging = await agentWorld([{ hang: true }])
  const clock = countingClock()
  const ports = { judge: () => world.judge, clock }
  const question = { system: '', prompt: '', tokensMax: 10, read: (text: string) => text }
  const { signal } = new AbortController()
  const settings = { judge: { ...SETTINGS, timeoutMs: HANG_MS }, agent: world.agent }
  const answers = [1, 2, 3].map(() => askJudge(ports, settings, question, signal, () => {}))
  expect(await Promise.all(answers)).toEqual(Array(3).fill('{"ready": true}'))
  expect(world.concurrencyMax()).toBe(1)
  expect(clock.timers()).toEqual({ set: 3, atOnceMax: 1 })

  const impatient = { ...settings, judge: { ...SETTINGS, timeoutMs: 200 }, agent: hanging.agent }
  const slow = await askJudge({ ...ports, judge: () => hanging.judge }, impatient, question, signal, () => {})
  expect(slow).toMatchObject({
    code: 'judge-slow',
    message: 'The agent that is the judge gave no answer within 0s.',
  })
  const leave = await hanging.judge.waitForTurn?.(signal)
  expect(pidsInside(hanging.folder)).toEqual([])
  leave?.()
  await Promise.all([world.leave(), hanging.leave()])
})

test('has no tools, a new session for each question, and at most two turns', async () => {
  const world = await agentWorld([{ usage: { input: 7 } }, { say: 'so' }])
  const ports = { judge: () => world.judge, clock: REAL_CLOCK }
  const settings = { judge: { ...SETTINGS, model: 'small' }, agent: { ...world.agent, access: 'full' as const } }
  const question = { system: '', prompt: '', tokensMax: 10, read: () => null }
  const used: JudgeUsage[] = []
  await askJudge(ports, settings, question, new AbortController().signal, (usage) => void used.push(usage))
  // Both answers cost tokens, though neither was usable.
  expect(new Set(used.map(({ message }) => message)).size).toBe(2)
  expect(world.specs).toHaveLength(2)
  expect(new Set(world.specs.map(({ order }) => order.session)).size).toBe(2)
  for (const { order, tools } of world.specs) {
    expect(tools).toBe(null)
    expect(order).toMatchObject({ turnsMax: 2, sessionKnown: false })
    expect(order.agent).toMatchObject({ access: 'read-only', model: 'small', tools: { allow: [] }, mcp: {} })
  }
  await world.leave()
})

/** The real clock, which knows how many of its timers ran, and how many at the same time. */
function countingClock() {
  let [set, now, most] = [0, 0, 0]
  const after: Clock['after'] = (ms, wake) => {
    set += 1
    most = Math.max(most, ++now)
    const stop = REAL_CLOCK.after(ms, wake)
    return () => {
      now -= 1
      stop()
    }
  }
  return { ...REAL_CLOCK, after, timers: () => ({ set, atOnceMax: most }) }
}

interface AgentWorld extends JudgeWorld {
  readonly folder: string
  readonly specs: readonly RoundSpec[]
  /** Largest number of agents that ran at the same time. */
  concurrencyMax(): number
}

/** Creates a judge that is the scripted agent, a real process. */
async function agentWorld(steps: readonly object[]): Promise<AgentWorld> {
  const world = await scriptedWorld(containment)
  const { driver, folder } = world
  const script = world.writeScript(JSON.stringify([{ task: '*', phase: 'judge', steps }]))
  const specs: RoundSpec[] = []
  let [now, most] = [0, 0]
  const watched: AgentDriver = {
    ...driver,
    start(spec) {
      specs.push(spec)
      most = Math.max(most, ++now)
      const round = driver.start(spec)
      return { ...round, events: withEnd(round.events, () => now--) }
    },
  }
  const judge = agentJudge({
    clock: REAL_CLOCK,
    folder: join(folder, 'court'),
    driver: async () => (existsSync(folder) ? watched : null),
  })
  return {
    judge,
    folder,
    specs,
    settings: SETTINGS,
    concurrencyMax: () => most,
    agent: { ...PLAIN_AGENT, driver: 'scripted', script },
    questions: () => specs.map(({ order }) => questionIn(order.opening)),
    leave: async () => (existsSync(folder) ? world.leave() : undefined),
  }
}

async function* withEnd<T>(events: AsyncIterable<T>, onEnd: () => void): AsyncGenerator<T> {
  yield* events
  onEnd()
}

function questionIn(opening: string): { readonly system: string; readonly prompt: string } {
  const [, system = '', ...prompt] = opening.split('\n\n')
  return { system, prompt: prompt.join('\n\n') }
}

/** Translates the behaviour of an endpoint into steps of an agent. */
function stepsFor(plan: JudgePlan): readonly object[] {
  switch (plan.kind) {
    case 'says':
      return [{ say: plan.text }]
    case 'cut':
      return [{ say: plan.text }, { end: 'truncated' }]
    case 'status':
      return [{ end: plan.status === 401 ? 'auth' : plan.status === 404 ? 'config' : 'overloaded' }]
    case 'raw':
      return [{ end: 'max-turns' }]
    case 'huge':
      return [{ say: '{'.repeat(300_000) }]
    case 'half':
      return [{ end: 'crashed' }]
    case 'hangs':
      return [{ hang: true }]
  }
}
