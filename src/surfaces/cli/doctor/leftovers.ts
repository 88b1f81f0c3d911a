import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { AttemptId, LandingId } from '../../../core/model/ids.ts'
import { isProblem, type Problem } from '../../../core/model/problem.ts'
import type { RunState } from '../../../core/run/state.ts'
import type { Leftovers, Repository, Tools } from '../../../ports/repository.ts'
import type { WorkspaceOnDisk } from '../../../ports/workspaces.ts'
import { folderSize, sizeText } from '../render/folder-size.ts'
import type { World } from '../world.ts'
import { bad, type Diagnosis, ok, warn } from './diagnosis.ts'

const FIX = 'Run: longhaul doctor --fix'

/** Finds what crashes left behind; called while no engine runs, because an engine's files look the same. */
export async function examineLeftovers(
  world: World,
  repository: Repository,
  tools: Tools,
  run: RunState | null,
): Promise<readonly Diagnosis[]> {
  const onDisk = await tools.workspaces.list()
  const live = [...(run?.attempts.keys() ?? [])]
  const attemptsOnDisk = onDisk.flatMap(({ attempt }) => attempt ?? [])
  const landings = (run?.landings ?? []).map(({ id }) => id as LandingId)
  const left = await repository.leftovers({ attempts: [...live, ...attemptsOnDisk], landings })
  if (isProblem(left)) return [bad('leftovers', left)]
  return [
    await workspacesFinding(repository, onDisk, new Set(live)),
    ...strayFindings(tools, onDisk, left),
    ...onDisk.filter((one) => isLeft(one, live)).map((one) => leftoverFinding(repository, tools, one)),
    ...cornerFindings(repository, left),
    ...lockFindings(left, world.clock.now()),
    ...pinFindings(left),
  ]
}

async function workspacesFinding(
  repository: Repository,
  onDisk: readonly WorkspaceOnDisk[],
  live: ReadonlySet<AttemptId>,
): Promise<Diagnosis> {
  const where = repository.workspacesHome
  if (!existsSync(where)) return ok('workspaces', `none yet; they will be created in ${where}`)
  const whole = onDisk.filter(({ kind }) => kind === 'workspace')
  const inUse = whole.filter(({ attempt }) => attempt !== null && live.has(attempt)).length
  const size = sizeText(await folderSize(where))
  return ok('workspaces', `${where} (${size}): ${inUse} in use, ${whole.length - inUse} kept from failed attempts`)
}

function isLeft({ kind, attempt }: WorkspaceOnDisk, live: readonly AttemptId[]): boolean {
  return kind !== 'workspace' && (attempt === null || !live.includes(attempt))
}

const KINDS = { workspace: 'workspace', partial: 'incomplete workspace', checkout: 'checkout', leftover: 'remainder' }

function leftoverFinding(repository: Repository, { workspaces }: Tools, { name, kind }: WorkspaceOnDisk): Diagnosis {
  const what = `${KINDS[kind]} ${name}`
  const fix = async () => {
    const exists = (await workspaces.list()).some((one) => one.name === name)
    const refused = exists ? await workspaces.discard(name) : null
    return refused ?? `removed the ${what} after salvaging its unsaved work`
  }
  return warn('leftovers', `leftover ${what} in ${repository.workspacesHome}`, FIX, fix)
}

function strayFindings(
  { workspaces }: Tools,
  onDisk: readonly WorkspaceOnDisk[],
  { processes }: Leftovers,
): readonly Diagnosis[] {
  return processes.map(({ pid, name, workspace }) => {
    const attempt = onDisk.find((one) => one.name === workspace)?.attempt ?? null
    const empty = (): Promise<Problem | null> =>
      attempt === null ? workspaces.discard(workspace) : workspaces.endProcesses(attempt)
    const fix = async () => (await empty()) ?? `ended process ${pid} (${name}) in ${workspace}`
    return warn('leftovers', `process ${pid} (${name}) is running in ${workspace}, but no engine is`, FIX, fix)
  })
}

function cornerFindings(repository: Repository, { corners }: Leftovers): readonly Diagnosis[] {
  return corners.map((name) => {
    const fix = async () => {
      await repository.removeCorner(name)
      return `removed ${name}`
    }
    return warn(
      'leftovers',
      `${name} was left in ${repository.workspacesHome} by a "longhaul verify" that was killed`,
      FIX,
      fix,
    )
  })
}

// A running git holds its locks only briefly.
const LOCK_MS_MIN = 60_000

function lockFindings({ locks }: Leftovers, now: number): readonly Diagnosis[] {
  return locks
    .filter(({ changedAt }) => now - changedAt > LOCK_MS_MIN)
    .map(({ file, isOurs }) => {
      const message = `${file} was left by a git process that was killed`
      if (!isOurs) return warn('leftovers', message, `If no git is running in the repository: rm '${file}'`)
      return warn('leftovers', message, FIX, async () => {
        await rm(file, { force: true })
        return `removed ${file}`
      })
    })
}

function pinFindings({ pins, removePins }: Leftovers): readonly Diagnosis[] {
  if (pins.length === 0) return []
  const names = pins.length > PINS_SHOWN_MAX ? [...pins.slice(0, PINS_SHOWN_MAX), '…'] : pins
  const list = `${pins.length} refs that keep commits of finished work: ${names.join(', ')}`
  const fix = async () => (await removePins(pins)) ?? `removed ${pins.join(', ')}`
  return [warn('leftovers', list, FIX, fix)]
}

const PINS_SHOWN_MAX = 5
