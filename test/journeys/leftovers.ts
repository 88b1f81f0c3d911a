import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Journey } from './journey.ts'

/** Lists everything that should be gone when all tasks of a journey have landed, one line each. */
export function leftovers(journey: Journey, target = 'main', guards: readonly number[] = []): readonly string[] {
  return [
    ...[...processesOf(journey), ...processes((pid) => guards.includes(pid))].map(
      ({ pid, args }) => `process ${pid}: ${args.join(' ')}`,
    ),
    ...workspacesOf(journey).map((path) => `workspace ${path}`),
    ...locksOf(journey).map((path) => `lock ${path}`),
    ...refsOf(journey, target).map((ref) => `ref ${ref}`),
  ]
}

/** A live process. */
export interface LiveProcess {
  readonly pid: number
  readonly ppid: number
  readonly args: readonly string[]
}

/** Finds processes that work in a journey's folder or name it in their arguments. */
export function processesOf({ folder }: Pick<Journey, 'folder'>): readonly LiveProcess[] {
  return processes((pid) => {
    const isInside = `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`)
    return isInside || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)
  })
}

/** Finds processes that match; those that end during the search are left out. */
export function processes(matches: (pid: number) => boolean): readonly LiveProcess[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).flatMap((pid) => {
    try {
      return pid !== process.pid && matches(pid) && !isZombie(pid) ? [readProcess(pid)] : []
    } catch {
      return [] // gone, or not ours to see
    }
  })
}

function readProcess(pid: number): LiveProcess {
  const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
  return { pid, ppid: Number(statOf(pid)[1]), args }
}

function isZombie(pid: number): boolean {
  return ['Z', 'X'].includes(statOf(pid)[0] ?? '')
}

/** Reads the fields of /proc/PID/stat from the state on. */
function statOf(pid: number): readonly string[] {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return line.slice(line.lastIndexOf(')') + 2).split(' ')
}

/** Lists what is left in the folder of workspaces. */
function workspacesOf({ env }: Pick<Journey, 'env'>): readonly string[] {
  const home = join(env.XDG_STATE_HOME ?? '', 'longhaul')
  return namesIn(home).flatMap((repository) => {
    if (repository.includes('.lease.')) return []
    const workspaces = namesIn(join(home, repository)).filter((name) => !['.own', '.caches'].includes(name))
    return [...workspaces, ...namesIn(join(home, repository, '.own')).map((name) => `.own/${name}`)]
  })
}

function locksOf({ repository }: Journey): readonly string[] {
  const git = join(repository, '.git')
  const locks = readdirSync(git, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.lock'))
  const held = ['longhaul/lease.db', 'longhaul-lease.db'].filter((lease) => !isFree(join(git, lease)))
  return [...locks, ...held]
}

function isFree(file: string): boolean {
  const db = new DatabaseSync(file)
  try {
    db.exec('BEGIN EXCLUSIVE')
    return true
  } catch {
    return false
  } finally {
    db.close()
  }
}

function refsOf({ git }: Journey, target: string): readonly string[] {
  const kept = [`refs/longhaul/landed/${target}`, `refs/longhaul/seen/${target}`]
  const refs = git('for-each-ref', '--format=%(refname)', 'refs/longhaul/', 'refs/heads/longhaul/').split('\n')
  return refs.filter((ref) => ref !== '' && !kept.includes(ref))
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
