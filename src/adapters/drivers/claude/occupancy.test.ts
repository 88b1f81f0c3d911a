import { query } from '@anthropic-ai/claude-agent-sdk'
import { expect, test } from 'vitest'
import { agentFolders, claudeBinary, claudeEnvironment } from '../../../../test/agents/claude.ts'
import { testLab } from '../../../../test/agents/test-lab.ts'
import { REAL_CLOCK } from '../../../../test/conformance/real-clock.ts'
import { ORDER } from '../../../../test/conformance/scripted-world.ts'
import type { SessionId } from '../../../core/model/ids.ts'
import { Prompts } from './prompts.ts'
import { queryOptions, type SessionOpening } from './query-options.ts'
import { UsageCounter } from './usage-counter.ts'

const SCENARIO = JSON.stringify({
  rules: [
    { from: 'subagent', steps: [{ say: 'Helped.', usage: used(400_000) }] },
    { from: 'side', steps: [{ say: 'A summary.', usage: used(500_000) }] },
    {
      match: 'one',
      steps: [
        { run: 'true', usage: used(60_000) },
        { say: '1', usage: used(90_000) },
      ],
    },
    { match: 'two', steps: [{ say: '2', usage: used(120_000) }] },
    {
      match: 'three',
      steps: [
        { call: 'Agent', input: helper(), usage: used(150_000) },
        { say: '3', usage: used(180_000) },
      ],
    },
    { match: 'four', steps: [{ say: '4', usage: used(70_000) }] },
  ],
})

test('our context size is the one of the agent: growing, resumed, with a subagent, after a compaction', async () => {
  const lab = await testLab(SCENARIO)
  const folders = agentFolders()
  const session = REAL_CLOCK.uuid() as SessionId
  const seen: Occupancy[] = []
  seen.push(...(await talk(lab.url, folders, session, 'create', ['one', 'two'])))
  seen.push(...(await talk(lab.url, folders, session, 'resume', ['three', '/compact', 'four'])))
  expect(seen.map(({ ours }) => ours)).toEqual([91_050, 121_050, 181_050, 71_050])
  expect(seen.map(({ ours }) => ours)).toEqual(seen.map(({ theirs }) => theirs))
})

interface Occupancy {
  readonly ours: number
  readonly theirs: number
}

/** Says things one after another, and compares how full the session is after each answer. */
async function talk(
  url: string,
  { home, folder }: ReturnType<typeof agentFolders>,
  session: SessionId,
  opening: SessionOpening,
  texts: readonly string[],
): Promise<readonly Occupancy[]> {
  const [prompts, usage, left] = [new Prompts(REAL_CLOCK.uuid), new UsageCounter(), [...texts]]
  const nothing = { refuse: () => null, shouldStop: () => false, onCompact: async () => '' }
  const order = { ...ORDER, session, context: { policy: 'compact', guidance: '' } } as const
  const options = queryOptions({ order, form: null }, opening, nothing)
  const agent = query({
    prompt: prompts,
    options: {
      ...options,
      verbatimPrompts: false,
      cwd: folder,
      pathToClaudeCodeExecutable: claudeBinary(),
      env: { ...claudeEnvironment(home, url), CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' },
    },
  })
  const seen: Occupancy[] = []
  let ours = 0
  const next = (): void => {
    const text = left.shift()
    if (text === undefined) prompts.end()
    else prompts.say(text)
  }
  next()
  for await (const message of agent) {
    for (const { scope, tokens } of usage.count(message)) {
      if (scope === 'main') ours = tokens.input + tokens.cacheRead + tokens.cacheWrite
    }
    if (message.type !== 'result') continue
    const { totalTokens } = await agent.getContextUsage({ detail: 'summary' })
    // Between a compaction and the next answer, the agent itself only estimates.
    if (message.num_turns > 0) seen.push({ ours, theirs: totalTokens })
    next()
  }
  return seen
}

function used(cacheRead: number) {
  return { input: 50, cacheWrite: 1000, cacheRead, output: 10 }
}

function helper() {
  return { description: 'd', prompt: 'Help me.', subagent_type: 'general-purpose' }
}
