// Installs a system program where possible, and otherwise prints what is missing without it.
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const APT_TIMEOUT_MS = 180_000
let isUpdated = false
const modules = fileURLToPath(new URL('../node_modules', import.meta.url))

// Tried once per installation, so that later starts are fast whatever the outcome.
export function offerProgram(program, systemPackage, otherwise) {
  const tried = join(modules, `.longhaul-${program}`)
  if (isOnPath(program) || existsSync(tried)) return
  writeFileSync(tried, '')
  if (process.getuid?.() === 0 && isOnPath('apt-get')) {
    if (!isUpdated) apt('update')
    isUpdated = true
    apt('install', '-y', '--no-install-recommends', systemPackage)
  }
  if (!isOnPath(program)) console.log(otherwise)
}

function apt(...args) {
  const options = ['-qq', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=15']
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', [...options, ...args], { stdio: 'ignore', env, timeout: APT_TIMEOUT_MS })
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)))
}
