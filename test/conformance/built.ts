import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { packageFile } from '../../src/package/package-file.ts'

/** Path of the built command line. */
export const mainFile = packageFile('dist/main.js')

/** Builds dist when a test file runs before any build. */
export function ensureBuilt(): void {
  if (existsSync(mainFile)) return
  execFileSync(process.execPath, [packageFile('scripts/set-up.mjs')], { stdio: 'ignore' })
}
