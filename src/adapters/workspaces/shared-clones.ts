import type { Workspaces } from '../../ports/workspaces.ts'
import { checkOut } from './check-out.ts'
import { checkpointWorkspace } from './checkpoint-workspace.ts'
import type { SharedClonesOptions, WorkspaceContext } from './context.ts'
import { ensureWorkspace } from './ensure-workspace.ts'
import { discardPlace, listPlaces } from './left-behind.ts'
import { ownFile } from './own-file.ts'
import { isWhole, workspacePlace } from './places.ts'
import { releaseWorkspace } from './release-workspace.ts'
import { emptyPlace } from './remove-place.ts'
import { runIn } from './run-commands.ts'
import { tellHistory } from './tell-history.ts'

/** Workspaces as private clones that borrow the repository's objects. */
export function sharedClones(options: SharedClonesOptions): Workspaces {
  const context: WorkspaceContext = { graceMs: GRACE_MS, note: () => {}, ...options }
  const placeOf = (attempt: Parameters<Workspaces['folder']>[0]) => workspacePlace(context.home, attempt)
  return {
    ensure: (spec, commit, signal, note = context.note) => ensureWorkspace({ ...context, note }, spec, commit, signal),
    exists: async (attempt) => isWhole(placeOf(attempt)),
    folder: (attempt) => placeOf(attempt).tree,
    ownFile: (attempt, path) => ownFile(placeOf(attempt), path),
    empty: (attempt) => emptyPlace(context, placeOf(attempt)),
    checkpoint: (spec, last, message, amends) => checkpointWorkspace(context, spec, last, message, amends),
    history: (spec, commit) => tellHistory(context, spec, commit),
    release: (spec, commit, how, note = context.note) => releaseWorkspace({ ...context, note }, spec, commit, how),
    checkOut: (name, commit, setting, signal) => checkOut(context, name, commit, setting, signal),
    list: () => listPlaces(context),
    discard: (name) => discardPlace(context, name),
    async hook(attempt, name, command, timeoutMs, signal) {
      const ended = await runIn(context, placeOf(attempt), { name, command, timeoutMs }, signal)
      return ended.kind === 'passed' ? null : ended
    },
  }
}

const GRACE_MS = 3_000
