import { filesToRead } from '../core/checks/definition.ts'
import { changedDefinitions, deletedTestFiles } from '../core/checks/weakened.ts'
import type { Check } from '../core/model/effect.ts'
import type { Commit, Tree } from '../core/model/ids.ts'
import { unwrap } from '../core/model/problem.ts'
import type { Finding } from '../core/model/verdict.ts'
import type { Landing } from '../ports/landing.ts'

/** What the work is weighed against: the commit that it starts from. */
export interface ComparedWork {
  readonly kind: 'compared'
  /** What the work changed of its own checks. */
  readonly findings: readonly Finding[]
  readonly deletedTests: readonly string[]
  /** The files that it starts from; then those of the line, where they are others. */
  readonly trees: readonly Tree[]
}

/** Compares a commit with where it starts from: a commit of the line, or one given that is newer. Throws problems. */
export function compareWork(landing: Landing, checks: readonly Check[], work: WorkToCompare): Promise<ComparedWork> {
  const compared = compare(landing, checks, work)
  // Who waits for it meets the problem; checks may have been called off before anybody does.
  compared.catch(() => {})
  return compared
}

interface WorkToCompare {
  readonly target: string
  readonly commit: Commit
  readonly base: Commit | null
}

async function compare(
  landing: Landing,
  checks: readonly Check[],
  { target, commit, base }: WorkToCompare,
): Promise<ComparedWork> {
  const line = unwrap(await landing.baseOf(target, commit))
  const compared = unwrap(await landing.compare(base ?? line.commit, commit, filesToRead(checks.map(({ run }) => run))))
  return {
    kind: 'compared',
    findings: changedDefinitions(checks, compared),
    deletedTests: deletedTestFiles(compared),
    trees: [...new Set([compared.tree, line.tree])],
  }
}
