import { guardedFindings } from '../core/checks/guarded-files.ts'
import { changedDefinitions, deletedTestFiles, type FileDifference } from '../core/checks/weakened.ts'
import type { ComparedDefinition } from '../core/definitions/compare-definitions.ts'
import type { Check } from '../core/model/effect.ts'
import type { GuardedFiles } from '../core/model/guarded-files.ts'
import type { Commit, Tree } from '../core/model/ids.ts'
import { unwrap } from '../core/model/problem.ts'
import type { Finding } from '../core/model/verdict.ts'
import { matchesAny } from '../core/reading/path-globs.ts'
import { compareChecks, type FollowingPorts } from './follow-checks.ts'

/** Changes of an attempt's work that weaken its own checks. */
export interface ComparedWork {
  readonly kind: 'compared'
  /** Changed definitions of checks, guarded files, links that lead out. */
  readonly findings: readonly Finding[]
  /** Definitions of the checks by their names, on the base and with the work. */
  readonly definitions: ReadonlyMap<string, ComparedDefinition>
  /** Changed files, without those that the task may change. */
  readonly files: readonly FileDifference[]
  /** Commit that the work is compared with. */
  readonly base: Commit
  readonly deletedTests: readonly string[]
  /** Tree of the base, then that of the line where it differs. */
  readonly trees: readonly Tree[]
}

interface WorkToCompare {
  readonly target: string
  readonly commit: Commit
  readonly base: Commit | null
  readonly guard: GuardedFiles
}

/** Compares a commit with its base: the given commit, or else the newest one it shares with the line. Throws problems. */
export function compareWork(
  ports: FollowingPorts,
  checks: readonly Check[],
  work: WorkToCompare,
): Promise<ComparedWork> {
  const compared = compare(ports, checks, work)
  // A cancelled check never awaits this; the rejection must not become an unhandled one.
  compared.catch(() => {})
  return compared
}

async function compare(
  ports: FollowingPorts,
  checks: readonly Check[],
  { target, commit, base, guard }: WorkToCompare,
): Promise<ComparedWork> {
  const line = unwrap(await ports.landing.baseOf(target, commit))
  const from = base ?? line.commit
  const compared = unwrap(await ports.landing.compare(from, commit))
  const definitions = await compareChecks(ports, checks, from, commit)
  const files = compared.files.filter(({ path }) => !matchesAny(path, guard.mayChange))
  return {
    kind: 'compared',
    findings: [...guardedFindings(compared, guard), ...changedDefinitions(checks, unguarded(definitions, guard))],
    definitions,
    files,
    base: from,
    deletedTests: deletedTestFiles({ files }),
    trees: [...new Set([compared.tree, line.tree])],
  }
}

/** Leaves out changes of files that the task may change. */
function unguarded(
  definitions: ReadonlyMap<string, ComparedDefinition>,
  { mayChange }: GuardedFiles,
): ReadonlyMap<string, ComparedDefinition> {
  const isFree = (file: string) => matchesAny(file, mayChange)
  return new Map(
    [...definitions].map(([name, definition]) => [
      name,
      { ...definition, changes: definition.changes.filter(({ file }) => !isFree(file)) },
    ]),
  )
}
