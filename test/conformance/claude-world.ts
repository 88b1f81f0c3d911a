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
import type { Containment } from '../../src/process/containment.ts'
import { readPidFiles } from '../../src/process/pid-file.ts'
import { labFor } from '../agents/lab-for.ts'
import { testEnvironment } from '../environment.ts'
import type { DriverWorld } from './driver.ts'
import { labRules, orderFor } from './lab-rules.ts'
import { REAL_CLOCK } from './real-clock.ts'
import { ORDER } from './scripted-world.ts'
import { within } from './within.ts'

/** The real Claude Code in a folder and a home of its own, with a lab for a model. */
export interface ClaudeWorld extends DriverWorld {
  readonly driver: AgentDriver
  /** The workspace. */
  readonly folder: string
  readonly home: string
  readonly pidFolder: string
  readonly transcriptFolder: string
  /** The requests that the model got, of all rounds. */
  requests(): readonly Lab['requests'][number][]
  /** Starts a round whose model plays a scenario. */
  play(scenario: object, given?: GivenRound, by?: AgentDriver): Promise<AgentRound>
  /** A driver that has heard nothing of the rounds before. */
  anew(): AgentDriver
}

/** What differs from the usual round. */
type GivenRound = Partial<RoundOrder> & Partial<Pick<RoundSpec, 'form'>>

/** Makes a world with the real driver and the real agent. */
export async function claudeWorld(containment: Containment): Promise<ClaudeWorld> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'longhaul-claude-')))
  const [folder, home, pidFolder] = [join(root, 't1-a1'), join(root, 'home'), join(root, 'pids')]
  const transcriptFolder = join(root, 'transcripts')
  for (const made of [folder, home]) mkdirSync(made)
  const anew = () =>
    claudeDriver({
      clock: REAL_CLOCK,
      containment,
      scriptFolder: root,
      environment: { ...testEnvironment(home), TMPDIR: root },
      pidFolder: () => pidFolder,
      transcriptFolder: () => transcriptFolder,
      resolveEnv: (env) => env,
    })
  const driver = anew()
  const session = REAL_CLOCK.uuid() as SessionId
  const labs: Lab[] = []
  const play = async (
    scenario: object,
    { form = null, ...given }: GivenRound = {},
    by = driver,
  ): Promise<AgentRound> => {
    const lab = await labFor(JSON.stringify(scenario))
    labs.push(lab)
    const agent = { ...PLAIN_AGENT, ...given.agent, env: { ...signIn(lab.url), ...given.agent?.env } }
    const order = { ...ORDER, noteRequest: NOTE_REQUEST, session, ...given, agent }
    return by.start({ order, folder, tools: null, form })
  }
  return {
    driver,
    anew,
    folder,
    home,
    pidFolder,
    transcriptFolder,
    play,
    within,
    ends: ENDS,
    modelWindow: MODEL_WINDOW,
    requests: () => labs.flatMap((lab) => lab.requests),
    start: (steps, given = {}) => later(play(labRules(steps, NOTE_REQUEST), { ...orderFor(steps), ...given })),
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

/** The ends that a model, or the order, can bring about. */
const ENDS = [
  ...(['ok', 'rate-limited', 'overloaded', 'auth', 'context-exhausted'] as const),
  ...(['max-turns', 'budget', 'refused', 'config', 'truncated'] as const),
]
// That of the model which the agent uses by itself.
const MODEL_WINDOW = 1_000_000
const NOTE_REQUEST = 'Write the hand-off note now.'

/** A made-up sign-in of a subscriber, for whom the agent tells when a limit is over. */
function signIn(url: string): Record<string, string> {
  return { CLAUDE_CODE_OAUTH_TOKEN: 'test-key', ANTHROPIC_BASE_URL: url }
}

/** A round that is made ready first. */
function later(made: Promise<AgentRound>): AgentRound {
  let why: 'cancelled' | 'timeout' | null = null
  let round: AgentRound | null = null
  return {
    events: (async function* () {
      round = await made
      if (why !== null) round.cancel(why)
      yield* round.events
    })(),
    cancel(reason) {
      why ??= reason
      round?.cancel(reason)
    },
    handOver: (when) => round?.handOver(when),
    say: (text) => round?.say(text) ?? false,
  }
}
