import { lstat, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { CheckRunner } from '../../../core/definitions/check-definition.ts'
import { isProblem, unwrap } from '../../../core/model/problem.ts'
import { type FileSource, followChecks } from '../../../engine/follow-checks.ts'
import { loadedSettings } from '../repository/open-repository.ts'
import type { World } from '../world.ts'

/** Gate with the parts of its definition that may not change without a person. */
export interface GuardedGate {
  readonly gate: string
  readonly command: string
  readonly parts: readonly { readonly what: string; readonly file: string }[]
  readonly runners: readonly CheckRunner[]
}

/** Follows the gates of the user's checkout as it is; none outside of a repository or with wrong settings. */
export async function guardedGates(world: World): Promise<readonly GuardedGate[]> {
  const adapters = await world.adapters()
  const repository = await adapters.find(world.folder, world.environment)
  if (isProblem(repository)) return []
  const loaded = await loadedSettings(world, repository, {})
  if (loaded.kind === 'wrong') return []
  const gates = loaded.settings.gates ?? []
  const list = async () => {
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
    return unwrap(await adapters.git(repository.root, args, world.environment))
      .split('\0')
      .slice(0, -1)
  }
  const definitions = await followChecks(checkoutFiles(repository.root, list), gates, await adapters.parseShell())
  return gates.map(({ name, run }) => {
    const { parts = [], runners = [] } = definitions.get(name) ?? {}
    const inFiles = parts.flatMap(({ what, file }) => (file === null ? [] : [{ what, file }]))
    return { gate: name, command: run, parts: inFiles, runners }
  })
}

function checkoutFiles(root: string, list: () => Promise<readonly string[]>): FileSource {
  return {
    async files() {
      const ids = await Promise.all((await list()).map(async (path) => [path, await idOf(join(root, path))] as const))
      return new Map(ids.flatMap(([path, id]) => (id === null ? [] : [[path, id]])))
    },
    async read(paths) {
      const texts = await Promise.all(paths.map(async (path) => [path, await textOf(join(root, path))] as const))
      return new Map(texts)
    },
  }
}

/** Returns an id by which links differ from files, or null for what is deleted; contents are not compared here. */
async function idOf(path: string): Promise<string | null> {
  const stats = await lstat(path).catch(() => null) // listed, and deleted meanwhile
  if (stats === null) return null
  return stats.isSymbolicLink() ? `link:${path}` : path
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => readlink(path).catch(() => '')) // a link to nowhere still has a target
}
