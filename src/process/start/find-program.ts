import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, resolve } from 'node:path'

/** Resolves a program to the path it would be started by; null when none may be run. */
export function findProgram(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): string | null {
  if (isAbsolute(file) || file.includes('/')) return runnable(resolve(cwd, file))
  for (const folder of (env.PATH ?? DEFAULT_PATH).split(delimiter)) {
    const path = runnable(resolve(cwd, folder, file))
    if (path !== null) return path
  }
  return null
}

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'

function runnable(path: string): string | null {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile() ? path : null
  } catch {
    return null // not there, or not ours to run
  }
}
