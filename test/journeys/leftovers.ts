import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Journey } from './journey.ts'

/** Everything that should be gone when a journey's run has ended and every task has landed, a line each. */
export function leftovers(journey: Journey, target = 'main', guards: readonly number[] = []): readonly string[] {
  return [
    ...[...processesOf(journey), ...processes((pid) => guards.includes(pid))].map(
      ({ pid, args }) => `process ${pid}: ${args.join(' ')}`,
    ),
    ...placesOf(journey).map((path) => `workspace ${path}`),
    ...locksOf(journey).map((path) => `lock ${path}`),
    ...refsOf(journey, target).map((ref) => `ref ${ref}`),
  ]
}

/** One living process. */
export interface ProcessSeen {
  readonly pid: number
  readonly ppid: number
  readonly args: readonly string[]
}

/** The processes that work in a journey's folder, or name it on their command line. */
export function processesOf({ folder }: Pick<Journey, 'folder'>): readonly ProcessSeen[] {
  return processes((pid) => {
    const isInside = `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`)
    return isInside || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)
  })
}

/** The processes that something is true of; those that vanish while they are looked at are left out. */
export function processes(isMeant: (pid: number) => boolean): readonly ProcessSeen[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).flatMap((pid) => {
    try {
      return pid !== process.pid && isMeant(pid) && !isZombie(pid) ? [seen(pid)] : []
    } catch {
      return [] // gone, or not ours to see
    }
  })
}

function seen(pid: number): ProcessSeen {
  const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
  return { pid, ppid: Number(statOf(pid)[1]), args }
}

function isZombie(pid: number): boolean {
  return ['Z', 'X'].includes(statOf(pid)[0] ?? '')
}

/** The fields of /proc/PID/stat from the state on. */
function statOf(pid: number): readonly string[] {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return line.slice(line.lastIndexOf(')') + 2).split(' ')
}

/** What lies where workspaces are kept. */
function placesOf({ env }: Pick<Journey, 'env'>): readonly string[] {
  const home = join(env.XDG_STATE_HOME ?? '', 'longhaul')
  return namesIn(home).flatMap((repository) => {
    const places = namesIn(join(home, repository)).filter((name) => name !== '.own')
    return [...places, ...namesIn(join(home, repository, '.own')).map((name) => `.own/${name}`)]
  })
}

function locksOf({ repository }: Journey): readonly string[] {
  const git = join(repository, '.git')
  const locks = readdirSync(git, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.lock'))
  return [...locks, ...(isFree(join(git, 'longhaul/lease.db')) ? [] : ['lease.db'])]
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
