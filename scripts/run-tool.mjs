#!/usr/bin/env node
// Compiles one TypeScript tool of ours (bench, simulate, crash-matrix) and runs it: run-tool.mjs FILE.ts [ARGUMENT …]
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [tool = '', ...args] = process.argv.slice(2)
const tsc = join(root, 'node_modules/typescript/bin/tsc')

const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.tools.json'], { cwd: root, stdio: 'inherit' })
if (status === 0) {
  const built = join(root, 'dist-tools', tool.replace(/\.ts$/, '.js'))
  process.setSourceMapsEnabled(true)
  process.argv = [process.execPath, built, ...args]
  await import(pathToFileURL(built))
} else {
  process.exitCode = status ?? 1
}
