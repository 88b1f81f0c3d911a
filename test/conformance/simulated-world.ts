import type { AttemptId, Commit } from '../../src/core/model/ids.ts'
import type { AgentEndKind, Claim } from '../../src/core/model/round.ts'
import { AGENT_ENDS } from '../../src/core/model/round.ts'
import { Random } from '../simulation/world/random.ts'
import { type SimStep, simAgent } from '../simulation/world/sim-agent.ts'
import { SimDisk } from '../simulation/world/sim-disk.ts'
import { simLanding } from '../simulation/world/sim-landing.ts'
import { SimRepository } from '../simulation/world/sim-repository.ts'
import { SimTime } from '../simulation/world/sim-time.ts'
import { simWorkspaces } from '../simulation/world/sim-workspaces.ts'
import type { DriverWorld, ScriptStep } from './driver.ts'
import type { GitWorld } from './git-world.ts'
import { ORDER } from './scripted-world.ts'

const MAIN = 'refs/heads/main'

/** The simulated git as a world for the conformance suites. */
export async function simulatedGitWorld(): Promise<GitWorld> {
  const repository = new SimRepository()
  const disk = new SimDisk()
  const checkout = { isDirty: false }
  const tip = (): Commit => repository.refs.get(MAIN) as Commit
  repository.refs.set(MAIN, repository.commit(new Map([['kept.txt', 'kept\n']]), [], 'start'))
  return {
    workspaces: simWorkspaces(repository, disk, () => 1),
    landing: simLanding(repository, checkout),
    restart: async () => {},
    userCommits: async (path, text) => {
      const commit = repository.commit(changed(repository.filesOf(tip()), path, text), [tip()], 'of the user')
      repository.refs.set(MAIN, commit)
      return commit
    },
    userLeavesChanges: async () => {
      checkout.isDirty = true
    },
    userRevertsChanges: async () => {
      checkout.isDirty = false
    },
    userDropsLatest: async () => {
      repository.refs.set(MAIN, repository.parentsOf(tip())[0] as Commit)
    },
    agentWrites: async (attempt, path, text) => {
      const workspace = disk.workspace(attempt)
      workspace.files = changed(workspace.files, path, text)
    },
    workspaceVanishes: async (attempt) => {
      disk.workspaces.delete(attempt)
    },
    fileIn: async (folder, path) => disk.workspaces.get(folder)?.files.get(path) ?? null,
    fileAt: async (commit, path) => repository.filesOf(commit).get(path) ?? null,
    parentsOf: async (commit) => repository.parentsOf(commit),
    refAt: async (ref) => repository.refs.get(ref) ?? null,
    leave: async () => {},
  }
}

/** The simulated agents, with time that advances by itself. */
export async function simulatedDriverWorld(): Promise<DriverWorld> {
  const time = new SimTime(new Random(1))
  const disk = new SimDisk()
  const plans: (readonly SimStep[])[] = []
  disk.put({
    name: 'w',
    attempt: 'w' as AttemptId,
    kind: 'workspace',
    head: '' as Commit,
    files: new Map(),
    changedAt: 0,
  })
  const agent = simAgent({ time, disk, stepMs: () => 1, stepsFor: () => plans.shift() ?? [], merge: () => {} })
  let isOver = false
  const pass = () => {
    time.advance()
    if (!isOver) setImmediate(pass)
  }
  pass()
  return {
    ends: AGENT_ENDS,
    modelWindow: null,
    start: (steps, overrides) => {
      plans.push(simSteps(steps))
      const order = { ...ORDER, ...overrides }
      return agent.start({ order, folder: 'w', tools: null, form: null, onHostRefused() {} })
    },
    kill: async () => {
      for (const process of Array.from(disk.processes)) process.end('crashed')
    },
    read: async (path) => disk.workspace('w').files.get(path) ?? null,
    settledWithin: (ms, promise) => Promise.race([promise, time.sleep(ms).then(() => 'not yet' as const)]),
    leave: async () => {
      isOver = true
    },
  }
}

/** Translates a script's steps into steps of the simulation. */
function simSteps(script: readonly ScriptStep[]): readonly SimStep[] {
  const steps: SimStep[] = []
  let claim: Claim | null = null
  for (const step of script) {
    if ('write' in step) steps.push({ kind: 'write', ...step.write })
    if ('usage' in step) steps.push(usageOf(step.usage))
    if ('note' in step) steps.push({ kind: 'note', text: step.note })
    if ('hang' in step) steps.push({ kind: 'hang' })
    if ('report' in step)
      claim = step.report === 'blocked' ? { kind: 'blocked', reason: step.reason ?? '' } : { kind: step.report }
    if ('end' in step) {
      const resetAt = step.resetAt === undefined ? null : step.resetAt * 1000
      return [...steps, { kind: 'end', end: step.end as AgentEndKind, claim, resetAt }]
    }
  }
  return [...steps, { kind: 'end', end: 'ok', claim, resetAt: null }]
}

function usageOf(usage: Extract<ScriptStep, { usage: unknown }>['usage']): SimStep {
  const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0, window = null } = usage
  return { kind: 'usage', usage: { tokens: { input, cacheRead, cacheWrite, output }, window }, twice: false }
}

function changed(files: ReadonlyMap<string, string>, path: string, text: string | null): Map<string, string> {
  const next = new Map(files)
  if (text === null) next.delete(path)
  else next.set(path, text)
  return next
}
