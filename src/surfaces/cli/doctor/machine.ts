import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isProblem } from '../../../core/model/problem.ts'
import { sizeText } from '../render/folder-size.ts'
import type { World } from '../world.ts'
import { bad, type Diagnosis, ok, okOrBad, warn } from './diagnosis.ts'

const NODE_NEEDED = [20, 19] as const

/** Examines the machine: Node, SQLite and git. */
export async function examineMachine(world: World): Promise<readonly Diagnosis[]> {
  const { git, repository, identity, sqlite } = await (await world.adapters()).examine(world)
  return [
    nodeFinding(process.versions.node),
    okOrBad('sqlite', sqlite),
    okOrBad('git', git),
    ...(isProblem(git) ? [] : [okOrBad('repository', repository)]),
    ...(isProblem(repository) ? [] : [okOrBad('identity', identity)]),
  ]
}

const FREE_WARN_BYTES = 2_000_000_000
const FREE_BAD_BYTES = 200_000_000

/** Checks the free space for a folder that may not exist yet. */
export async function diskFinding(what: string, folder: string): Promise<Diagnosis> {
  let at = folder
  while (!existsSync(at) && at !== dirname(at)) at = dirname(at)
  const { blocks, bavail, bsize } = await statfs(at)
  if (blocks === 0) {
    const hint = 'Set LONGHAUL_STATE_HOME to a folder on a disk.'
    return bad('disk', { message: `${folder} is not on a disk, so it cannot hold ${what}.`, hint })
  }
  const bytes = bavail * bsize
  const message = `${sizeText({ bytes, isPartial: false })} free for ${what} (${folder})`
  const hint = 'Free some space, for example with "longhaul gc".'
  if (bytes < FREE_BAD_BYTES) return bad('disk', { message, hint })
  return bytes < FREE_WARN_BYTES ? warn('disk', message, hint) : ok('disk', message)
}

function nodeFinding(version: string): Diagnosis {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > NODE_NEEDED[0] || (major === NODE_NEEDED[0] && minor >= NODE_NEEDED[1])
  const hint = `Install Node ${NODE_NEEDED.join('.')} or newer.`
  return isEnough ? ok('node', `Node ${version}`) : bad('node', { message: `Node ${version} is too old.`, hint })
}
