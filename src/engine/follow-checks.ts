import { createHash } from 'node:crypto'
import type { CheckDefinition } from '../core/definitions/check-definition.ts'
import { type ComparedDefinition, compareDefinitions } from '../core/definitions/compare-definitions.ts'
import { defineCheck, type FollowingTools } from '../core/definitions/define-check.ts'
import type { ParseShell } from '../core/definitions/shell-command.ts'
import { Snapshot } from '../core/definitions/snapshot.ts'
import type { Check } from '../core/model/effect.ts'
import type { Commit } from '../core/model/ids.ts'
import { unwrap } from '../core/model/problem.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import type { Landing } from '../ports/landing.ts'

/** Ports that following a check needs. */
export type FollowingPorts = Pick<EnginePorts, 'landing' | 'parseShell'>

/** Files that checks are followed through: ids of contents by path, and texts. */
export interface FileSource {
  files(): Promise<ReadonlyMap<string, string>>
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** Follows checks through two commits and compares what they are made of, by the names of the checks. Throws problems. */
export async function compareChecks(
  { landing, parseShell }: FollowingPorts,
  checks: readonly Check[],
  from: Commit,
  to: Commit,
): Promise<ReadonlyMap<string, ComparedDefinition>> {
  const [base, work] = [filesAt(landing, from), filesAt(landing, to)]
  const [before, after] = [new Snapshot(await base.files()), new Snapshot(await work.files())]
  const compare = () =>
    checks.map(({ name, run }) => [name, compareDefinitions(run, { before, after }, tools(parseShell))] as const)
  return new Map(
    await following(compare, async () => {
      const read = await Promise.all([learn(before, base), learn(after, work)])
      return read.some((isMore) => isMore)
    }),
  )
}

/** Follows checks through one commit, by the names of the checks. Throws problems. */
export function defineChecks(
  { landing, parseShell }: FollowingPorts,
  checks: readonly Check[],
  commit: Commit,
): Promise<ReadonlyMap<string, CheckDefinition>> {
  return followChecks(filesAt(landing, commit), checks, parseShell)
}

/** Follows checks through some files, by the names of the checks. */
export async function followChecks(
  source: FileSource,
  checks: readonly Pick<Check, 'name' | 'run'>[],
  parseShell: ParseShell,
): Promise<ReadonlyMap<string, CheckDefinition>> {
  const snapshot = new Snapshot(await source.files())
  const define = () =>
    checks.map(({ name, run }) => [name, defineCheck(run, snapshot, tools(parseShell)).definition] as const)
  return new Map(await following(define, () => learn(snapshot, source)))
}

/** Follows again as long as reading brings more texts; each round leads one file further. */
async function following<T>(follow: () => T, read: () => Promise<boolean>): Promise<T> {
  for (let round = 1; round < ROUNDS_MAX; round += 1) {
    const followed = follow()
    if (!(await read())) return followed
  }
  return follow()
}

function filesAt(landing: Landing, commit: Commit): FileSource {
  return {
    files: async () => unwrap(await landing.filesOf(commit)),
    read: async (paths) => unwrap(await landing.readFiles(commit, paths)),
  }
}

/** Reads the files that a snapshot wants; false when it wants none. */
async function learn(snapshot: Snapshot, source: FileSource): Promise<boolean> {
  const { wanted } = snapshot
  if (wanted.length === 0) return false
  snapshot.learn(await source.read(wanted))
  return true
}

function tools(parseShell: ParseShell): FollowingTools {
  return { parseShell, digest: (text) => createHash('sha256').update(text).digest('hex') }
}

const ROUNDS_MAX = 16
