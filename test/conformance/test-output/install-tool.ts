import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Framework } from './pairs.ts'
import { findIn, type Installed } from './run-suite.ts'

const CACHE = join(tmpdir(), 'longhaul-test-output-matrix')

/** Installs a framework's programs unless they are there; null when this machine cannot. */
export function installTool(tool: Framework['tool']): Installed | null {
  const none: Installed = { path: [], modules: null, env: {}, hidden: [] }
  const system = (process.env.PATH ?? '').split(':')
  switch (tool) {
    case 'node':
      return none
    case 'python':
      return findIn(system, 'python3') === null ? null : none
    case 'vitest':
    case 'jest':
    case 'mocha':
    case 'tape':
      return installPackage(tool)
    case 'pytest':
      return installPytest()
    case 'go':
      return installGo(system)
    case 'cargo':
      return installedCargo(system)
  }
}

const VERSIONS = { vitest: 'vitest@4', jest: 'jest@29', mocha: 'mocha@11', tape: 'tape@5' } as const

function installPackage(name: keyof typeof VERSIONS): Installed | null {
  const folder = join(CACHE, name)
  const modules = join(folder, 'node_modules')
  const isReady = () => existsSync(join(modules, '.bin', name))
  if (!isReady()) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{}')
    attempt('npm', ['install', '--no-audit', '--no-fund', VERSIONS[name]], folder)
  }
  return isReady() ? { path: [join(modules, '.bin')], modules, env: {}, hidden: [folder, CACHE] } : null
}

function installPytest(): Installed | null {
  const folder = join(CACHE, 'pytest')
  const bin = join(folder, 'bin')
  if (!existsSync(join(bin, 'coverage'))) {
    mkdirSync(CACHE, { recursive: true })
    attempt('python3', ['-m', 'venv', folder], CACHE)
    attempt(join(bin, 'python'), ['-m', 'pip', 'install', '--quiet', 'pytest', 'pytest-cov'], CACHE)
  }
  return existsSync(join(bin, 'pytest')) ? { path: [bin], modules: null, env: {}, hidden: [folder, CACHE] } : null
}

/** Uses an installed Go, or unpacks the one of Debian. */
function installGo(system: readonly string[]): Installed | null {
  const env = { GOCACHE: join(CACHE, 'go-cache'), GOPATH: join(CACHE, 'go-path'), GOFLAGS: '-mod=mod' }
  if (findIn(system, 'go') !== null) return { path: [], modules: null, env, hidden: [CACHE] }
  const folder = join(CACHE, 'go')
  const root = join(folder, 'usr/lib/go-1.19')
  if (!existsSync(join(root, 'bin/go'))) {
    mkdirSync(folder, { recursive: true })
    const script = 'apt-get download golang-1.19-go golang-1.19-src && for d in *.deb; do dpkg -x "$d" .; done'
    attempt('/bin/sh', ['-c', script], folder)
  }
  const isReady = existsSync(join(root, 'bin/go'))
  return isReady
    ? { path: [join(root, 'bin')], modules: null, env: { ...env, GOROOT: root }, hidden: [root, CACHE] }
    : null
}

/** Uses an installed Rust, past rustup, which needs the user's home. */
function installedCargo(system: readonly string[]): Installed | null {
  if (findIn(system, 'cargo') === null) return null
  const sysroot = execFileSync('rustc', ['--print', 'sysroot'], { encoding: 'utf8' }).trim()
  const env = { CARGO_TARGET_DIR: join(CACHE, 'cargo'), RUST_BACKTRACE: '0' }
  return { path: [join(sysroot, 'bin')], modules: null, env, hidden: [CACHE] }
}

function attempt(file: string, args: readonly string[], cwd: string): void {
  try {
    execFileSync(file, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  } catch (cause) {
    console.error(String(cause))
  }
}
