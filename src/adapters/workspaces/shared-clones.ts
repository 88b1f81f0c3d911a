import type { Workspaces } from '../../ports/workspaces.ts'
import { checkOut } from './check-out.ts'
import { checkpointWorkspace } from './checkpoint-workspace.ts'
import { isWhole, workspacePaths } from './clone-paths.ts'
import { type SharedClonesOptions, workspaceContext } from './context.ts'
import { describeHistory } from './describe-history.ts'
import { ensureWorkspace } from './ensure-workspace.ts'
import { discardClone, listClones } from './list-and-discard.ts'
import { ownFile } from './own-file.ts'
import { releaseWorkspace } from './release-workspace.ts'
import { emptyClone } from './remove-clone.ts'
import { runIn } from './run-commands.ts'
import { setAsideClone } from './set-aside-clone.ts'

/** Workspaces as private clones that borrow the repository's objects. */
export function sharedClones(options: SharedClonesOptions): Workspaces {
  const context = workspaceContext(options)
  const pathsOf = (attempt: Parameters<Workspaces['folder']>[0]) => workspacePaths(context.home, attempt)
  return {
    ensure: (spec, commit, signal, note = context.note) => ensureWorkspace({ ...context, note }, spec, commit, signal),
    exists: async (attempt) => isWhole(pathsOf(attempt)),
    folder: (attempt) => pathsOf(attempt).tree,
    reserveAgentFile: (attempt, path) => ownFile(pathsOf(attempt), path),
    endProcesses: (attempt) => emptyClone(context, pathsOf(attempt)),
    checkpoint: (spec, last, message, amends) => checkpointWorkspace(context, spec, last, message, amends),
    history: (spec, commit) => describeHistory(context, spec, commit),
    release: (spec, commit, how, note = context.note) => releaseWorkspace({ ...context, note }, spec, commit, how),
    checkOut: (name, commit, setting, signal) => checkOut(context, name, commit, setting, signal),
    list: () => listClones(context),
    setAside: (name) => setAsideClone(context, name),
    discard: (name, signal = NEVER) => discardClone(context, name, signal),
    async hook(attempt, name, command, timeoutMs, signal) {
      const ended = await runIn(context, pathsOf(attempt), { name, command, timeoutMs }, signal)
      return ended.kind === 'passed' ? null : ended
    },
  }
}

const NEVER = new AbortController().signal
