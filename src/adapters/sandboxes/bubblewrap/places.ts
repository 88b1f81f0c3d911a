import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Problem } from '../../../core/model/problem.ts'
import type { SandboxSettings } from '../../../core/model/settings.ts'
import { refusePlaces } from '../../../core/sandbox/allowed-places.ts'
import { toolchainsOf } from '../../../core/sandbox/toolchains.ts'
import type { SandboxPlaces } from '../../../core/sandbox/view.ts'

/** Facts about the machine and the repository from which the places follow. */
export interface Surroundings {
  /** Complete environment of the engine's programs. */
  readonly environment: Readonly<Record<string, string>>
  readonly home: string
  /** Folder of Longhaul's state and of all workspaces. */
  readonly stateHome: string
  /** Checkouts of the repository, and its git folder. */
  readonly repository: readonly string[]
  readonly objects: string
  readonly settings: SandboxSettings
}

/** Refuses settings that open what the sandbox protects; links are followed first. */
export function refuseSettings({ home, stateHome, repository, settings }: Surroundings): Problem | null {
  const real = (path: string): string => realPath(path) ?? resolve(path)
  const named = (paths: readonly string[]) => paths.map((path) => real(inHome(path, home)))
  return refusePlaces({
    read: named(settings.read),
    write: named([...settings.write, ...settings.sockets]),
    stateHome: real(stateHome),
    repository: repository.map(real),
  })
}

function inHome(path: string, home: string): string {
  return path.startsWith('~/') ? join(home, path.slice(2)) : path
}

/** Finds the places that matter to a sandbox on this machine. */
export function findPlaces(around: Surroundings): SandboxPlaces {
  const { environment, stateHome, repository, objects, settings } = around
  const home = realPath(around.home) ?? around.home
  const homes = existing(['/home', '/root', home])
  const temporary = existing(['/tmp', '/var/tmp', '/run', environment.TMPDIR ?? ''])
  const hidden = existing([stateHome, ...repository])
  const isHidden = (folder: string): boolean =>
    [...homes, ...temporary].some((place) => isInside(place, folder)) && !hidden.some((one) => isInside(one, folder))
  const certificates = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'].map((name) => environment[name] ?? '')
  return {
    homes,
    hidden,
    temporary,
    secrets: secretFiles(),
    shown: existing([
      ...toolchainsOf(environment.PATH ?? '', home, isHidden, existsSync),
      dirname(dirname(process.execPath)),
      ...certificates,
      ...objectFolders(objects),
      ...settings.read.map((path) => inHome(path, home)),
    ]).filter((path) => path !== '/'),
    writable: existing([...settings.write, ...settings.sockets].map((path) => inHome(path, home))),
    // Not their real paths: programs expect /bin to be there, whatever it leads to.
    strictRoots: STRICT_ROOTS.filter((path) => existsSync(path)),
  }
}

// Programs, libraries, and settings that programs need to find users, names, time zones and certificates.
const PROGRAM_ROOTS = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
  '/nix/store',
  '/gnu/store',
]
const STRICT_ROOTS = [
  ...PROGRAM_ROOTS,
  ...['alternatives', 'ca-certificates', 'ca-certificates.conf', 'gitconfig', 'group', 'hosts', 'ld.so.cache']
    .concat(['ld.so.conf', 'ld.so.conf.d', 'localtime', 'mime.types', 'nsswitch.conf', 'os-release', 'passwd'])
    .concat(['pki/tls/certs', 'protocols', 'services', 'ssl/certs', 'ssl/openssl.cnf', 'terminfo', 'timezone'])
    .map((name) => `/etc/${name}`),
]

/** Lists files of /etc that hold passwords and keys; as root, programs could read them. */
function secretFiles(): readonly string[] {
  const files = ['shadow', 'shadow-', 'gshadow', 'gshadow-', 'sudoers'].map((name) => `/etc/${name}`)
  return existing([...files, ...hostKeys()])
}

function hostKeys(): readonly string[] {
  try {
    return readdirSync('/etc/ssh').flatMap((name) => (name.endsWith('_key') ? [`/etc/ssh/${name}`] : []))
  } catch {
    return [] // no server
  }
}

/** Lists the object folders of a repository and its submodules with those that they borrow from. */
function objectFolders(objects: string): readonly string[] {
  const folders = [objects, ...moduleObjects(join(dirname(objects), 'modules'))]
  for (const folder of folders) {
    for (const line of alternatesOf(folder)) if (!folders.includes(line)) folders.push(line)
  }
  return folders
}

/** Lists the object folders of submodules, whose names can have several parts. */
function moduleObjects(folder: string): readonly string[] {
  return foldersIn(folder).flatMap((module) => {
    const objects = join(module, 'objects')
    return existsSync(objects) ? [objects, ...moduleObjects(join(module, 'modules'))] : moduleObjects(module)
  })
}

function foldersIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
  } catch {
    return [] // no submodules
  }
}

function alternatesOf(folder: string): readonly string[] {
  try {
    const lines = readFileSync(join(folder, 'info', 'alternates'), 'utf8').split('\n')
    return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => resolve(folder, line))
  } catch {
    return [] // it borrows from none
  }
}

/** Returns the real paths of those that exist. */
function existing(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap((path) => (isAbsolute(path) ? (realPath(path) ?? []) : [])))]
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null // not there
  }
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
