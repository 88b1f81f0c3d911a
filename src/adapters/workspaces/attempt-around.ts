import { readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { attemptSign } from '../../core/sandbox/attempt-signs.ts'
import { isInNamespace } from '../../process/end/end-orphaned-namespaces.ts'
import { readPidFiles } from '../../process/end/pid-files.ts'
import { readProcessTable } from '../../process/end/process-table.ts'
import { descendsFrom, kinOf } from '../../process/end/tree-members.ts'
import { workingFolder } from '../../process/end/working-folders.ts'
import { clonePathsNamed, OWN } from './clone-paths.ts'

/** A process that may belong to an attempt. */
export interface Caller {
  readonly pid: number
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Folder of the homes of all workspaces, as the caller's environment has it. */
  readonly stateHome: string
}

/** Says by which sign a process belongs to an attempt or a check of any repository; null for a process of a person. */
export function attemptAround({ pid, folder, environment, stateHome }: Caller): string | null {
  const table = readProcessTable()
  // A caller can forget its own environment and with it the state's place; its parents stand in their workspace.
  const folders = kinOf(pid, table).flatMap((kin) => workingFolder(kin.pid) ?? [])
  const pidFolders = [...pidFoldersIn(stateHome), ...folders.flatMap(pidFoldersAround)]
  const roots = [...new Set(pidFolders)].flatMap(readPidFiles).flatMap(({ key }) => key ?? [])
  return attemptSign({
    isInNamespace: isInNamespace(),
    hasRecordedAncestor: descendsFrom({ self: pid, roots, table }),
    hasVariable: (environment.LONGHAUL_ATTEMPT ?? '') !== '',
    isInWorkspace: pidFoldersAround(realFolder(folder)).length > 0,
    hasTerminal: table.get(pid)?.hasTerminal ?? false,
  })
}

function pidFoldersIn(stateHome: string): readonly string[] {
  return namesIn(stateHome).flatMap((name) => {
    const home = join(stateHome, name)
    return namesIn(join(home, OWN)).map((clone) => clonePathsNamed(home, clone).pids)
  })
}

/** Finds the records of the clone that a folder belongs to. */
function pidFoldersAround(folder: string): readonly string[] {
  const parent = dirname(folder)
  if (parent === folder) return []
  const isClone = namesIn(join(parent, OWN)).includes(basename(folder))
  return [...(isClone ? [clonePathsNamed(parent, basename(folder)).pids] : []), ...pidFoldersAround(parent)]
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // missing, or not ours to read
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder // removed
  }
}
