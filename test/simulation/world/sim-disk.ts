import type { AttemptId, Commit } from '../../../src/core/model/ids.ts'
import type { Files } from './sim-repository.ts'

/** A workspace on the simulated disk. */
export interface SimWorkspace {
  readonly name: string
  readonly attempt: AttemptId | null
  kind: 'workspace' | 'partial' | 'checkout'
  head: Commit
  files: Map<string, string>
  changedAt: number
}

/** A process in a workspace. */
export interface SimProcess {
  readonly workspace: string
  readonly purpose: string
  end(reason: 'killed' | 'crashed'): void
}

/** Everything that outlives engines: workspaces and the processes in them. */
export class SimDisk {
  readonly workspaces = new Map<string, SimWorkspace>()
  readonly processes = new Set<SimProcess>()
  isWritable: () => boolean = () => true

  put(workspace: SimWorkspace): SimWorkspace {
    this.workspaces.set(workspace.name, workspace)
    return workspace
  }

  workspace(name: string): SimWorkspace {
    const workspace = this.workspaces.get(name)
    if (workspace === undefined) throw new Error(`no workspace ${name}`)
    return workspace
  }

  write(name: string, path: string, text: string): void {
    this.workspaces.get(name)?.files.set(path, text)
  }

  empty(name: string): void {
    for (const process of Array.from(this.processes)) if (process.workspace === name) process.end('killed')
  }

  isDirty(workspace: SimWorkspace, files: Files): boolean {
    if (workspace.files.size !== files.size) return true
    return [...workspace.files].some(([path, text]) => files.get(path) !== text)
  }
}
