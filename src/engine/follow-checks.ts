import { createHash } from 'node:crypto'
import type { CheckDefinition } from '../core/definitions/check-definition.ts'
import { type ComparedDefinition, compareDefinitions } from '../core/definitions/compare-definitions.ts'
import { defineCheck, type FollowingTools } from '../core/definitions/define-check.ts'
import { Snapshot } from '../core/definitions/snapshot.ts'
import type { Check } from '../core/model/effect.ts'
import type { Commit } from '../core/model/ids.ts'
import { unwrap } from '../core/model/problem.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import type { Landing } from '../ports/landing.ts'

/** Ports that following a check needs. */
export type FollowingPorts = Pick<EnginePorts, 'landing' | 'parseShell'>

/** Follows checks through two commits and compares what they are made of, by the names of the checks. Throws problems. */
export async function compareChecks(
  { landing, parseShell }: FollowingPorts,
  checks: readonly Check[],
  from: Commit,
  to: Commit,
): Promise<ReadonlyMap<string, ComparedDefinition>> {
  const [before, after] = await Promise.all([snapshotOf(landing, from), snapshotOf(landing, to)])
  const compare = () =>
    checks.map(({ name, run }) => [name, compareDefinitions(run, { before, after }, tools(parseShell))] as const)
  return new Map(
    await following(compare, async () => {
      const read = await Promise.all([learn(landing, before, from), learn(landing, after, to)])
      return read.some((isMore) => isMore)
    }),
  )
}

/** Follows checks through one commit, by the names of the checks. Throws problems. */
export async function defineChecks(
  { landing, parseShell }: FollowingPorts,
  checks: readonly Check[],
  commit: Commit,
): Promise<ReadonlyMap<string, CheckDefinition>> {
  const snapshot = await snapshotOf(landing, commit)
  const define = () =>
    checks.map(({ name, run }) => [name, defineCheck(run, snapshot, tools(parseShell)).definition] as const)
  return new Map(await following(define, () => learn(landing, snapshot, commit)))
}

/** Follows again as long as reading brings more texts; each round leads one file further. */
async function following<T>(follow: () => T, read: () => Promise<boolean>): Promise<T> {
  for (let round = 1; round < ROUNDS_MAX; round += 1) {
    const followed = follow()
    if (!(await read())) return followed
  }
  return follow()
}

async function snapshotOf(landing: Landing, commit: Commit): Promise<Snapshot> {
  return new Snapshot(unwrap(await landing.filesOf(commit)))
}

/** Reads the files that a snapshot wants; false when it wants none. */
async function learn(landing: Landing, snapshot: Snapshot, commit: Commit): Promise<boolean> {
  const { wanted } = snapshot
  if (wanted.length === 0) return false
  snapshot.learn(unwrap(await landing.readFiles(commit, wanted)))
  return true
}

function tools(parseShell: FollowingTools['parseShell']): FollowingTools {
  return { parseShell, digest: (text) => createHash('sha256').update(text).digest('hex') }
}

const ROUNDS_MAX = 16
