import { type Problem, problem } from '../model/problem.ts'

/** Places that the settings open to programs in the sandbox, and those that must stay closed; all free of links. */
export interface OpenedPlaces {
  readonly read: readonly string[]
  readonly write: readonly string[]
  /** Folder of Longhaul's state and of all workspaces. */
  readonly stateHome: string
  /** Checkouts of the repository, and its git folder. */
  readonly repository: readonly string[]
}

/** Refuses settings that open to programs what the sandbox protects; null when there is nothing to refuse. */
export function refusePlaces({ read, write, stateHome, repository }: OpenedPlaces): Problem | null {
  const closed = [
    { folder: stateHome, what: "Longhaul's own folder of workspaces" },
    ...repository.map((folder) => ({ folder, what: 'the repository' })),
  ]
  for (const path of write) {
    const place = closed.find(({ folder }) => isInside(folder, path) || isInside(path, folder))
    if (place === undefined) continue
    const how = isInside(place.folder, path) ? 'lies in' : 'contains'
    return tooWide('write', path, `${how} ${place.what} (${place.folder})`)
  }
  const shown = read.find((path) => isInside(stateHome, path))
  return shown === undefined
    ? null
    : tooWide('read', shown, `lies in Longhaul's own folder of workspaces (${stateHome})`)
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}

function tooWide(key: 'read' | 'write', path: string, why: string): Problem {
  return problem({
    code: 'sandbox-too-wide',
    message: `sandbox.${key} names ${path}, which ${why}: an agent could change other work, or its own checks.`,
    hint: `Remove it from sandbox.${key} in longhaul.yaml; a workspace is writable without it.`,
    retry: 'person',
  })
}
