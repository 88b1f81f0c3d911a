#!/usr/bin/env node
// Makes a fresh clone ready to run: versions, packages, build, bubblewrap. Does only what is missing.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, buildInputs } from './build.mjs'
import { offerProgram } from './offer-program.mjs'

const NODE_NEEDED = [20, 19]
const GIT_NEEDED = [2, 38]

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')

try {
  checkVersions()
  installPackages()
  await buildWhatChanged()
  offerProgram('bwrap', 'bubblewrap', 'bubblewrap (bwrap) is not installed: a guard process ends agents instead.')
} catch (error) {
  console.error(`Set-up stopped: ${error.message}`)
  process.exitCode = 1
}

function checkVersions() {
  if (!isAtLeast(process.versions.node, NODE_NEEDED)) {
    throw new Error(`Longhaul needs Node ${NODE_NEEDED.join('.')} or newer; this is ${process.versions.node}.`)
  }
  const git = spawnSync('git', ['--version'], { encoding: 'utf8' }).stdout?.match(/\d+(\.\d+)+/)?.[0]
  if (!git || !isAtLeast(git, GIT_NEEDED)) {
    throw new Error(
      `Longhaul needs git ${GIT_NEEDED.join('.')} or newer; ${git ? `this is ${git}` : 'none was found'}.`,
    )
  }
}

function installPackages() {
  const record = join(modules, '.longhaul-lock')
  const wanted = digest([join(root, 'package-lock.json')])
  if (readIfExists(record) === wanted) return
  console.log('Installing packages …')
  // NODE_ENV=production must not leave out the compiler.
  run('npm', ['ci', '--include=dev', '--loglevel=error'])
  writeFileSync(record, wanted)
}

async function buildWhatChanged() {
  const dist = join(root, 'dist')
  const wanted = digest(buildInputs())
  if (readIfExists(join(dist, '.built')) === wanted) return
  console.log('Building …')
  // Built in a new folder and renamed: no output of a deleted source remains, and a failed build keeps the last good one.
  const fresh = join(root, `dist-${process.pid}`)
  try {
    await build(fresh)
    writeFileSync(join(fresh, '.built'), wanted)
    replace(dist, fresh)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

// Only renames, because another set-up may run at the same time; the later one gives way.
function replace(folder, fresh) {
  const old = `${fresh}-old`
  rename(folder, old, ['ENOENT'])
  rename(fresh, folder, ['ENOTEMPTY', 'EEXIST'])
  rmSync(old, { recursive: true, force: true })
}

function rename(from, to, toleratedCodes) {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!toleratedCodes.includes(error.code)) throw error
  }
}

function run(command, args) {
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`"${command} ${args.join(' ')}" ended with ${error?.message ?? signal ?? status}.`)
}

function digest(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`\0${file.slice(root.length)}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

function readIfExists(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

function isAtLeast(version, [major, minor]) {
  const [ourMajor, ourMinor] = version.split('.').map(Number)
  return ourMajor > major || (ourMajor === major && ourMinor >= minor)
}
