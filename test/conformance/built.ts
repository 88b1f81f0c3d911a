import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const PROGRAMS = ['dist/drivers/scripted/agent-main.js', 'dist/process/guard-main.js']

/** Builds the programs that run as processes of their own, when a test file is run before any build. */
export function ensureBuilt(): void {
  if (PROGRAMS.every((program) => existsSync(join(root, program)))) return
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck'], {
    cwd: root,
    stdio: 'ignore',
  })
}
