/** Joins a folder and a path, without ".", ".." and doubled slashes. */
export function joined(folder: string, path: string): string {
  const parts: string[] = []
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** Returns the folder of a path; '' is the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Returns the last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Returns a folder and the folders above it, innermost first. */
export function foldersUp(folder: string): readonly string[] {
  return folder === '' ? [''] : [folder, ...foldersUp(folderOf(folder))]
}

/** True for a path in a folder or below it. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}
