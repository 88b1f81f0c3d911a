import { filesToRead } from '../core/checks/check-definitions.ts'
import { changedDefinitions, deletedTestFiles } from '../core/checks/weakened.ts'
import type { CheckDefinition } from '../core/definitions/check-definition.ts'
import type { Check } from '../core/model/effect.ts'
import type { Commit, Tree } from '../core/model/ids.ts'
import { unwrap } from '../core/model/problem.ts'
import type { Finding } from '../core/model/verdict.ts'
import type { Landing } from '../ports/landing.ts'

/** Changes of an attempt's work that weaken its own checks. */
export interface ComparedWork {
  readonly kind: 'compared'
  /** Changed definitions of checks. */
  readonly findings: readonly Finding[]
  /** Definitions of the checks by their names, on the base and with the work. */
  readonly definitions: ReadonlyMap<string, { readonly before: CheckDefinition; readonly after: CheckDefinition }>
  readonly deletedTests: readonly string[]
  /** Tree of the base, then that of the line where it differs. */
  readonly trees: readonly Tree[]
}

/** Compares a commit with its base: the given commit, or else the newest one it shares with the line. Throws problems. */
export function compareWork(
  landing: Landing,
  checks: readonly Check[],
  work: { readonly target: string; readonly commit: Commit; readonly base: Commit | null },
): Promise<ComparedWork> {
  const compared = compare(landing, checks, work)
  // A cancelled check never awaits this; the rejection must not become an unhandled one.
  compared.catch(() => {})
  return compared
}

async function compare(
  landing: Landing,
  checks: readonly Check[],
  { target, commit, base }: Parameters<typeof compareWork>[2],
): Promise<ComparedWork> {
  const line = unwrap(await landing.baseOf(target, commit))
  const compared = unwrap(await landing.compare(base ?? line.commit, commit, filesToRead(checks.map(({ run }) => run))))
  return {
    kind: 'compared',
    findings: changedDefinitions(checks, compared),
    // A check of which nothing is followed yet has a definition without parts.
    definitions: new Map(checks.map(({ name }) => [name, { before: UNKNOWN, after: UNKNOWN }])),
    deletedTests: deletedTestFiles(compared),
    trees: [...new Set([compared.tree, line.tree])],
  }
}

const UNKNOWN: CheckDefinition = { parts: [], runners: [], digest: '' }
