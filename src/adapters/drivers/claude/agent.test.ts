import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { collectEvents, endIn } from '../../../../test/conformance/agent-events.ts'
import { type ClaudeWorld, claudeWorld } from '../../../../test/conformance/claude-world.ts'
import { useContainment } from '../../../../test/conformance/containments.ts'
import { REAL_CLOCK } from '../../../../test/conformance/real-clock.ts'
import { SOON } from '../../../../test/patience.ts'
import { costUsd } from '../../../core/limits/prices.ts'
import type { SessionId } from '../../../core/model/ids.ts'
import { PLAIN_AGENT } from '../../../core/model/settings.ts'
import type { AgentEvent } from '../../../ports/agent-driver.ts'
import { pidsInside } from '../../../process/end/working-folders.ts'
import { recordedCalls } from './session-records.ts'

const DONE = { report: 'done' }
const HANG = { say: 'never', fault: { silent: true } }
const USAGE = { input: 50, cacheWrite: 1000, cacheRead: 40_000, output: 120 }
const HOURLY = { ...USAGE, hourCacheWrite: 600 }

describe('the real Claude Code', () => {
  let world: ClaudeWorld
  let elsewhere: ClaudeWorld
  let unanswered: Promise<readonly AgentEvent[]>
  beforeAll(async () => {
    const containment = await useContainment()
    world = await claudeWorld(containment)
    elsewhere = await claudeWorld(containment)
    // Giving up takes a while, so this runs beside the other tests.
    const agent = { ...PLAIN_AGENT, env: { ANTHROPIC_BASE_URL: NOWHERE } }
    unanswered = collectEvents(await elsewhere.play({ rules: [{ steps: [] }] }, { agent }))
  })
  afterAll(async () => {
    await unanswered
    await Promise.all([world.leave(), elsewhere.leave()])
  })

  const fresh = () => ({ session: REAL_CLOCK.uuid() as SessionId })
  const steps = (...played: object[]) => ({ rules: [{ steps: played }] })

  describe('opens its session', () => {
    test.each([200, 700, 1500])('after a kill %d ms from its start', async (ms) => {
      const session = fresh()
      const killed = collectEvents(await world.play(steps(HANG), session))
      await expect.poll(() => existsSync(world.pidFolder) && readdirSync(world.pidFolder), SOON).toHaveLength(1)
      await pause(ms)
      await world.kill()
      expect(endIn(await killed)).toMatchObject({ kind: 'crashed' })
      const events = await collectEvents(await world.play(steps(DONE), session))
      expect(endIn(events)).toMatchObject({ kind: 'ok', claim: { kind: 'done' } })
      expect(events.filter(({ kind }) => kind === 'session-opened')).toHaveLength(1)
    })

    const half = '{"type":"queue-operation","operation":"enqueue"}\n{"type":"que'
    test.each([
      ['as a new one, when its record is still empty', half, 'ok'],
      [
        'no more when its record is damaged: another session has to start',
        '{"type":"user"}\nrubbish\n',
        'context-exhausted',
      ],
    ])('%s', async (_name, record, kind) => {
      const session = fresh()
      await collectEvents(await world.play(steps(DONE), session))
      const records = join(world.config, 'projects')
      const [name = ''] = readdirSync(records)
      writeFileSync(join(records, name, `${session.session}.jsonl`), record)
      for (const sessionKnown of kind === 'ok' ? [true] : [true, false])
        expect(endIn(await collectEvents(await world.play(steps(DONE), { ...session, sessionKnown })))).toMatchObject({
          kind,
        })
    })

    test('as a new one when it does not exist any more', async () => {
      const events = await collectEvents(await world.play(steps(DONE), { ...fresh(), sessionKnown: true }))
      expect(endIn(events)).toMatchObject({ kind: 'ok' })
      expect(world.requests().at(-1)).toMatchObject({ prompt: 'Do the task.' })
    })
  })

  test('is at a tool while the tool runs, then waits for the model', async () => {
    const events = await collectEvents(await world.play(steps({ run: 'sleep 0.2' }, DONE), fresh()))
    const seen = events.flatMap((event) => (event.kind === 'activity' ? [event.activity.kind] : []))
    const changes = seen.filter((kind, index) => kind !== seen[index - 1])
    expect(changes).toEqual(['waiting', 'streaming', 'tool', 'waiting', 'streaming'])
  })

  test('costs the same by our count and by its own, after a resume and a kill', async () => {
    const session = fresh()
    const first = await collectEvents(
      await world.play(steps({ run: 'true', usage: HOURLY }, { ...DONE, usage: HOURLY }), session),
    )
    const resumed = { ...session, sessionKnown: true }
    const going = await world.play(steps({ run: 'true', usage: HOURLY }, HANG), resumed)
    const second: AgentEvent[] = []
    for await (const event of going.events) {
      second.push(event)
      if (event.kind === 'usage') await world.kill()
    }
    const third = await collectEvents(await world.play(steps({ ...DONE, usage: HOURLY }), resumed))
    // Usage that a killed agent did not report is read from its record, and counts once.
    const paid = new Set(usages(first).map(({ message }) => message))
    const news = second.filter((event) => event.kind !== 'usage' || !paid.has(event.usage.message))
    expect([priced(first), priced(news), priced(third)]).toEqual([2, 1, 1].map((calls) => calls * PRICE))
    expect([ownCosts(first), ownCosts(second), ownCosts(third)]).toEqual([[2 * PRICE], [], [PRICE]].map(near))
  })

  test('counts the cost of subagents apart from the session', async () => {
    const call = { call: 'Agent', input: { description: 'd', prompt: 'Help me.', subagent_type: 'general-purpose' } }
    const rules = [
      {
        from: 'subagent',
        steps: [
          { run: 'true', usage: { ...USAGE, output: 70 } },
          { say: 'Helped.', usage: USAGE },
        ],
      },
      {
        steps: [
          { ...call, usage: USAGE },
          { ...DONE, usage: USAGE },
        ],
      },
    ]
    const events = await collectEvents(await world.play({ rules }, fresh()))
    expect(endIn(events)).toMatchObject({ kind: 'ok' })
    const main = usages(events).filter(({ scope }) => scope === 'main')
    expect(main.map(({ tokens }) => tokens)).toEqual([USAGE, USAGE])
    expect(sum(usages(events), 'output')).toBe(3 * USAGE.output + 70)
    expect(sum(usages(events), 'cacheRead')).toBe(4 * USAGE.cacheRead)
    expect(ownCosts(events)).toEqual(near([priced(events)]))
  })

  test('writes nothing outside its folder, not even through a link, and gets the reason', async () => {
    const outside = join(world.home, 'outside.txt')
    symlinkSync(world.home, join(world.folder, 'way-out'))
    const tries = [outside, 'way-out/new.txt', 'inside.txt'].map((path) => ({ write: { path, text: 'x' } }))
    const events = await collectEvents(await world.play(steps(...tries, DONE), fresh()))
    expect(endIn(events)).toMatchObject({ kind: 'ok' })
    expect(events.filter(({ kind }) => kind === 'denied')).toEqual(
      [outside, join(world.folder, 'way-out/new.txt')].map((path) => ({
        kind: 'denied',
        tool: 'Write',
        reason: `${path} is outside your folder ${world.folder}. Work only inside it.`,
      })),
    )
    expect([existsSync(outside), existsSync(join(world.home, 'new.txt'))]).toEqual([false, false])
    expect(await world.read('inside.txt')).toBe('x')
    expect(rawIn(events).filter((line) => line.includes('Work only inside it.'))).toHaveLength(2)
  })

  test('that is allowed nothing has not done its work', async () => {
    const agent = { ...PLAIN_AGENT, access: 'read-only' as const, tools: { allow: ['Read', 'Write'], deny: [] } }
    const call = { call: 'Read', input: { file_path: '/etc/hostname' } }
    const events = await collectEvents(await world.play(steps(call, DONE), { ...fresh(), agent }))
    expect(endIn(events)).toMatchObject({ kind: 'config', detail: expect.stringContaining('(Read)') })
  })

  test("leaves the user's settings, sign-in, memory and commands as they are", async () => {
    const claude = join(world.home, '.claude')
    const files = ['settings.json', '.credentials.json', 'CLAUDE.md', 'commands/mine.md']
    mkdirSync(join(claude, 'commands'), { recursive: true })
    for (const file of files) writeFileSync(join(claude, file), file.endsWith('.json') ? '{ }\n' : `# ${file}\n`)
    const before = files.map((file) => readFileSync(join(claude, file), 'utf8'))
    const write = { call: 'Write', input: { file_path: join(claude, 'CLAUDE.md'), content: 'taken over' } }
    expect(endIn(await collectEvents(await world.play(steps(write, DONE), fresh())))).toMatchObject({ kind: 'ok' })
    expect(files.map((file) => readFileSync(join(claude, file), 'utf8'))).toEqual(before)
  })

  test('may get 10 MB from a tool, and its secrets do not appear in events', async () => {
    const agent = { ...PLAIN_AGENT, env: { DATABASE_PASSWORD: 'hush-hush' } }
    const run = { run: 'echo "it is $DATABASE_PASSWORD"; head -c 10000000 /dev/zero | tr "\\0" x' }
    const events = await collectEvents(await world.play(steps(run, DONE), { ...fresh(), agent }))
    expect(endIn(events)).toMatchObject({ kind: 'ok' })
    expect(rawIn(events).join('\n')).toContain('it is [masked]')
    expect(JSON.stringify(events)).not.toContain('hush-hush')
  })

  test('ends with everything it started when it is cancelled', async () => {
    const round = await world.play(steps({ run: 'setsid sleep 1000 & touch here; sleep 1000' }), fresh())
    const events = collectEvents(round)
    await expect.poll(() => existsSync(join(world.folder, 'here')), SOON).toBe(true)
    round.cancel('cancelled')
    expect(endIn(await events)).toMatchObject({ kind: 'cancelled' })
    expect(pidsInside(world.folder)).toEqual([])
    expect(readdirSync(world.pidFolder)).toEqual([])
  })

  test('compacts only under that policy, with our guidance and a copy of the transcript', async () => {
    const full = { ...USAGE, cacheRead: 990_000 }
    const played = steps({ run: 'true', usage: USAGE }, { run: 'true', usage: full }, { ...DONE, usage: USAGE })
    const compact = { policy: 'compact', guidance: 'Keep the names of all files.' } as const
    const compacting = await collectEvents(await world.play(played, { ...fresh(), context: compact }))
    expect(endIn(compacting)).toMatchObject({ kind: 'ok' })
    expect(compacting).toContainEqual({ kind: 'compacted', trigger: 'auto' })
    expect(world.requests().some(({ prompt }) => prompt.includes(compact.guidance))).toBe(true)
    expect(readdirSync(world.transcriptFolder)).toEqual(['round-1.before-compaction-1.jsonl'])
    const handing = await collectEvents(await world.play(played, fresh()))
    expect(handing.filter(({ kind }) => kind === 'compacted')).toEqual([])
    expect(endIn(handing)).toMatchObject({ kind: 'context-exhausted', note: null })
  })

  test('ends after some tries when no server answers', async () => {
    const events = await unanswered
    expect(endIn(events)).toMatchObject({ kind: 'overloaded', detail: expect.stringContaining('cannot be reached') })
    expect(events.filter((event) => event.kind === 'activity' && event.activity.kind === 'retrying')).toHaveLength(6)
  })

  test('gets what a person says, and answers within the round', async () => {
    const rules = [
      { match: 'Use tabs.', steps: [{ say: 'Tabs it is.' }, DONE] },
      { steps: [{ run: 'sleep 0.5' }, { say: 'Hm.' }] },
    ]
    const round = await world.play({ rules }, fresh())
    const accepted: boolean[] = []
    const events: AgentEvent[] = []
    for await (const event of round.events) {
      events.push(event)
      if (event.kind === 'usage' && accepted.length === 0) accepted.push(round.say('Use tabs.'))
    }
    expect([...accepted, round.say('Too late.')]).toEqual([true, false])
    expect(endIn(events)).toMatchObject({ kind: 'ok', claim: { kind: 'done' } })
  })
})

test('the record of a session has each call as it was reported, also for an engine that did not follow it', async () => {
  const world = await claudeWorld(await useContainment())
  onTestFinished(() => world.leave())
  const session = REAL_CLOCK.uuid() as SessionId
  const usage = HOURLY
  const scenario = { usage, rules: [{ match: 'go on', steps: [DONE] }, { steps: [{ run: 'true' }, DONE] }] }
  const first = usages(await collectEvents(await world.play(scenario, { session })))
  const calls = await recordedCalls({ config: world.config, session })
  expect(first).toMatchObject(calls)
  expect(calls.map(({ tokens, hourCacheWrite }) => ({ ...tokens, hourCacheWrite }))).toEqual([HOURLY, HOURLY])

  const otherDriver = world.newDriver()
  const events = await collectEvents(
    await world.play(scenario, { session, sessionKnown: true, prompt: 'go on' }, otherDriver),
  )
  expect(
    usages(events)
      .map(({ message }) => message)
      .slice(0, 2),
  ).toEqual(calls.map(({ message }) => message))
  expect(usages(events)).toHaveLength(3)
})

// Nothing listens there.
const NOWHERE = 'http://127.0.0.1:9'
// The model that a subscriber gets by itself.
const PRICE = costUsd(HOURLY, 'claude-sonnet-5-5', {}, HOURLY.hourCacheWrite) ?? Number.NaN

function usages(events: readonly AgentEvent[]) {
  return events.flatMap((event) => (event.kind === 'usage' ? [event.usage] : []))
}

function priced(events: readonly AgentEvent[]): number {
  return usages(events).reduce(
    (usd, { tokens, model, hourCacheWrite }) => usd + (costUsd(tokens, model, {}, hourCacheWrite) ?? Number.NaN),
    0,
  )
}

/** Returns the costs of a round as the agent counts them. */
function ownCosts(events: readonly AgentEvent[]): readonly number[] {
  return events.flatMap((event) => (event.kind === 'cost' ? [event.usd] : []))
}

function near(figures: readonly number[]) {
  return figures.map((usd) => expect.closeTo(usd, 9))
}

function sum(all: ReturnType<typeof usages>, key: 'output' | 'cacheRead'): number {
  return all.reduce((total, { tokens }) => total + tokens[key], 0)
}

function rawIn(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) => (event.kind === 'raw' ? [event.line] : []))
}
