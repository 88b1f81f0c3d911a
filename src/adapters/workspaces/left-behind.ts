import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { WorkspaceOnDisk } from '../../ports/workspaces.ts'
import type { WorkspaceContext } from './context.ts'
import { letGo } from './let-go.ts'
import { attemptAt, isWhole, OWN, type Place, placeNamed, placeNameOf } from './places.ts'
import { salvageAll } from './release-workspace.ts'
import { emptyPlace, removePlace } from './remove-place.ts'
import { tracesOf } from './traces.ts'

/** Every clone in the home, whole or not, and what is left of removed ones. */
export async function listPlaces({ home }: WorkspaceContext): Promise<readonly WorkspaceOnDisk[]> {
  const entries = [...(await namesIn(home)), ...(await namesIn(join(home, OWN)))]
  const names = new Set(entries.flatMap((entry) => placeNameOf(entry) ?? []))
  return Promise.all([...names].sort().map((name) => onDisk(placeNamed(home, name))))
}

/** Removes one of them; an attempt's unsaved work is salvaged first, and its branch stays. */
export async function discardPlace(context: WorkspaceContext, name: string): Promise<Problem | null> {
  const known = await listPlaces(context)
  const found = known.find((one) => one.name === name)
  if (found === undefined) return unknown(context, name)
  const place = placeNamed(context.home, name)
  const emptied = await emptyPlace(context, place)
  if (emptied !== null) return emptied
  if (found.attempt === null) return removePlace(place)
  const traces = await tracesOf(context.repository.git, found.attempt, '')
  if (isProblem(traces)) return traces
  const salvage = await salvageAll(context, place, found.attempt, traces)
  if (isProblem(salvage)) return salvage
  return (await removePlace(place)) ?? letGo(context, found.attempt, traces.own, null)
}

async function onDisk(place: Place): Promise<WorkspaceOnDisk> {
  const attempt = attemptAt(place)
  const kind = kindOf(place, attempt === null)
  const times = await Promise.all([place.root, place.removing, place.own].map((path) => stat(path).catch(() => null)))
  return { name: place.name, kind, attempt, changedAt: Math.max(0, ...times.map((time) => time?.mtimeMs ?? 0)) }
}

function kindOf(place: Place, isCheckout: boolean): WorkspaceOnDisk['kind'] {
  if (!existsSync(place.root)) return 'leftover'
  if (isCheckout) return 'checkout'
  return isWhole(place) ? 'workspace' : 'partial'
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return []
    throw cause
  })
}

function unknown({ home }: WorkspaceContext, name: string): Problem {
  const message = `There is no workspace named ${JSON.stringify(name)} in ${home}.`
  return problem({ code: 'workspace-unknown', message, hint: 'See which there are: longhaul doctor', retry: 'never' })
}
