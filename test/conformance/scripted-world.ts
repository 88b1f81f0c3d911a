import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scriptedDriver } from '../../src/adapters/drivers/scripted/driver.ts'
import type { RoundOrder } from '../../src/core/model/effect.ts'
import type { AttemptId, SessionId, TaskId } from '../../src/core/model/ids.ts'
import { AGENT_ENDS } from '../../src/core/model/round.ts'
import { PLAIN_AGENT } from '../../src/core/model/settings.ts'
import type { AgentDriver, AgentRound } from '../../src/ports/agent-driver.ts'
import { readPidFiles } from '../../src/process/end/pid-files.ts'
import type { Containment } from '../../src/process/start/containment.ts'
import { TEST_ENV, unlimited } from './containments.ts'
import type { DriverWorld } from './driver.ts'
import { REAL_CLOCK } from './real-clock.ts'
import { settledWithin } from './settled-within.ts'

/** The real scripted driver in a temporary folder. */
export interface ScriptedWorld extends DriverWorld {
  readonly driver: AgentDriver
  /** The workspace. */
  readonly folder: string
  readonly pidFolder: string
  /** Folder of the scripts. */
  readonly scriptFolder: string
  /** Writes a script and returns its name. */
  writeScript(script: string): string
  /** Starts a round that plays the text of a script. */
  play(script: string, overrides?: Partial<RoundOrder>): AgentRound
}

/** Creates a world with the real scripted driver. */
export async function scriptedWorld(containment: Containment): Promise<ScriptedWorld> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'longhaul dríver ')))
  const [folder, pidFolder, scriptFolder] = [join(root, 'workspace'), join(root, 'pids'), join(root, 'repository')]
  for (const path of [folder, scriptFolder]) mkdirSync(path)
  const driver = scriptedDriver({
    sandbox: unlimited(containment),
    scriptFolder,
    environment: TEST_ENV,
    clock: REAL_CLOCK,
    transcriptFolder: () => join(root, 'transcripts'),
    pidFolder: () => pidFolder,
    resolveEnv: (env) => ({ ...env }),
  })
  let scripts = 0
  const writeScript = (script: string): string => {
    const name = `script-${++scripts}.yaml`
    writeFileSync(join(scriptFolder, name), script)
    return name
  }
  const play = (script: string, overrides: Partial<RoundOrder> = {}): AgentRound => {
    const name = writeScript(script)
    const order = { ...ORDER, ...overrides }
    return driver.start({
      order: { ...order, agent: { ...order.agent, script: name } },
      folder,
      tools: null,
      form: null,
      onHostRefused() {},
    })
  }
  return {
    driver,
    folder,
    pidFolder,
    scriptFolder,
    writeScript,
    play,
    settledWithin,
    ends: AGENT_ENDS,
    modelWindow: null,
    start: (steps, overrides) => play(JSON.stringify([{ task: '*', steps }]), overrides),
    async kill() {
      for (const { key } of readPidFiles(pidFolder)) if (key !== null) process.kill(key.pid, 'SIGKILL')
    },
    read: (path) => readFile(join(folder, path), 'utf8').catch(() => null),
    leave: () => rm(root, { recursive: true, force: true }),
  }
}

/** A round order for tests. */
export const ORDER: RoundOrder = {
  attempt: 't1-a1' as AttemptId,
  task: {
    id: 't1' as TaskId,
    title: 'A first task',
    brief: 'Do it.',
    after: [],
    weight: 'small',
    type: null,
    milestone: null,
    priority: 0,
    acceptance: [],
    verify: [],
    mayChange: [],
    files: [],
  },
  number: 1,
  phase: 'implement',
  role: 'coder',
  phaseRound: 1,
  round: 1,
  session: '5f0c1f7e-3c55-4c53-8c49-0a1f1b4f6a01' as SessionId,
  sessionKnown: false,
  prompt: 'Go on.',
  opening: 'Do the task.',
  texts: [],
  noteRequest: 'Write a note.',
  context: { policy: 'hand-off', guidance: 'Keep what matters.' },
  agent: { ...PLAIN_AGENT, driver: 'scripted' },
  turnsMax: 50,
  silenceMs: 600_000,
  hookMs: 60_000,
  hooks: { afterCreate: null, beforeRun: null, afterRun: null, beforeRemove: null },
  budgetUsd: null,
}
