import { mkdirSync } from 'node:fs'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { claudeDriver } from '../../src/adapters/drivers/claude/driver.ts'
import type { RoundOrder } from '../../src/core/model/effect.ts'
import type { SessionId } from '../../src/core/model/ids.ts'
import { PLAIN_AGENT } from '../../src/core/model/settings.ts'
import type { Lab } from '../../src/lab/lab.ts'
import type { AgentDriver, AgentRound, RoundSpec } from '../../src/ports/agent-driver.ts'
import { readPidFiles } from '../../src/process/end/pid-files.ts'
import type { Containment } from '../../src/process/start/containment.ts'
import { labFor } from '../agents/lab-for.ts'
import { testEnvironment } from '../environment.ts'
import { unlimited } from './containments.ts'
import type { DriverWorld } from './driver.ts'
import { labRules, orderFor } from './lab-rules.ts'
import { REAL_CLOCK } from './real-clock.ts'
import { ORDER } from './scripted-world.ts'
import { settledWithin } from './settled-within.ts'

/** The real Claude Code in a temporary folder and home, with a lab as its model. */
export interface ClaudeWorld extends DriverWorld {
  readonly driver: AgentDriver
  /** The workspace. */
  readonly folder: string
  readonly home: string
  /** Configuration folder of the agent. */
  readonly config: string
  readonly pidFolder: string
  readonly transcriptFolder: string
  /** Requests to the model in all rounds. */
  requests(): readonly Lab['requests'][number][]
  /** Starts a round whose model plays a scenario. */
  play(scenario: object, overrides?: RoundOverrides, by?: AgentDriver): Promise<AgentRound>
  /** Creates another driver, which knows nothing of earlier rounds. */
  newDriver(): AgentDriver
}

/** Fields that differ from the default round. */
type RoundOverrides = Partial<RoundOrder> & Partial<Pick<RoundSpec, 'form'>>

/** Creates a world with the real driver and the real agent. */
export async function claudeWorld(containment: Containment): Promise<ClaudeWorld> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'longhaul-claude-')))
  const [folder, home, pidFolder] = [join(root, 't1-a1'), join(root, 'home'), join(root, 'pids')]
  const transcriptFolder = join(root, 'transcripts')
  for (const path of [folder, home]) mkdirSync(path)
  const newDriver = () =>
    claudeDriver({
      clock: REAL_CLOCK,
      sandbox: unlimited(containment),
      scriptFolder: root,
      environment: { ...testEnvironment(home), TMPDIR: root },
      pidFolder: () => pidFolder,
      transcriptFolder: () => transcriptFolder,
      resolveEnv: (env) => env,
    })
  const driver = newDriver()
  const session = REAL_CLOCK.uuid() as SessionId
  const labs: Lab[] = []
  const play = async (
    scenario: object,
    { form = null, ...overrides }: RoundOverrides = {},
    by = driver,
  ): Promise<AgentRound> => {
    const lab = await labFor(JSON.stringify(scenario))
    labs.push(lab)
    const agent = { ...PLAIN_AGENT, ...overrides.agent, env: { ...signIn(lab.url), ...overrides.agent?.env } }
    const order = { ...ORDER, noteRequest: NOTE_REQUEST, session, ...overrides, agent }
    return by.start({ order, folder, tools: null, form, onHostRefused() {} })
  }
  return {
    driver,
    newDriver,
    folder,
    home,
    config: join(root, 'claude'),
    pidFolder,
    transcriptFolder,
    play,
    settledWithin,
    ends: ENDS,
    modelWindow: MODEL_WINDOW,
    requests: () => labs.flatMap((lab) => lab.requests),
    start: (steps, overrides = {}) =>
      deferRound(play(labRules(steps, NOTE_REQUEST), { ...orderFor(steps), ...overrides })),
    async kill() {
      for (const { key } of readPidFiles(pidFolder)) if (key !== null) process.kill(key.pid, 'SIGKILL')
    },
    read: (path) => readFile(join(folder, path), 'utf8').catch(() => null),
    async leave() {
      await Promise.all(labs.map((lab) => lab.close()))
      await rm(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Ends that a model or the order can cause. */
const ENDS = [
  ...(['ok', 'rate-limited', 'overloaded', 'auth', 'context-exhausted'] as const),
  ...(['max-turns', 'budget', 'refused', 'config', 'truncated'] as const),
]
// Window of the agent's default model.
const MODEL_WINDOW = 1_000_000
const NOTE_REQUEST = 'Write the hand-off note now.'

/** Made-up sign-in of a subscriber; only for subscribers the agent reports when a limit resets. */
function signIn(url: string): Record<string, string> {
  return { CLAUDE_CODE_OAUTH_TOKEN: 'test-key', ANTHROPIC_BASE_URL: url }
}

/** Wraps a round that is still being prepared. */
function deferRound(starting: Promise<AgentRound>): AgentRound {
  let reasonToCancel: 'cancelled' | 'timeout' | null = null
  let round: AgentRound | null = null
  return {
    events: (async function* () {
      round = await starting
      if (reasonToCancel !== null) round.cancel(reasonToCancel)
      yield* round.events
    })(),
    cancel(reason) {
      reasonToCancel ??= reason
      round?.cancel(reason)
    },
    handOver: (when) => round?.handOver(when),
    say: (text) => round?.say(text) ?? false,
  }
}
