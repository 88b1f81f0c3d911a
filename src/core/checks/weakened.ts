import type { ComparedDefinition } from '../definitions/compare-definitions.ts'
import { isTestFile } from '../definitions/test-files.ts'
import type { Check } from '../model/effect.ts'
import type { Tree } from '../model/ids.ts'
import { type Finding, finding } from '../model/verdict.ts'

/** File that differs between two commits; `to` is its new path after a rename. */
export interface FileDifference {
  readonly path: string
  readonly kind: 'added' | 'changed' | 'deleted' | 'renamed'
  readonly to: string | null
  /** True when lines of the old text are missing; of a binary file any change counts. */
  readonly losesLines: boolean
  /** Target of a symbolic link in the new commit, or null. */
  readonly linksTo: string | null
}

/** Difference between the work and the commit that it started from. */
export interface Comparison {
  readonly kind: 'comparison'
  /** Tree of the commit before. */
  readonly tree: Tree
  readonly files: readonly FileDifference[]
}

/** Source of findings about weakened checks. */
const CHECKS_SOURCE = 'checks'

/** Returns findings about changed definitions of the work's own checks, each change once. */
export function changedDefinitions(
  checks: readonly Check[],
  definitions: ReadonlyMap<string, Pick<ComparedDefinition, 'changes'>>,
): readonly Finding[] {
  const reported = new Set<string>()
  return checks.flatMap(({ name, onFail }) => {
    if (onFail !== 'block') return []
    const changes = (definitions.get(name)?.changes ?? []).filter(({ what }) => !reported.has(what))
    for (const { what } of changes) reported.add(what)
    return changes.map(({ kind, file, what }) => {
      const message = `the definition of the check ${name} was changed: ${what}`
      return kind === 'new' ? approvable(`${message}. Remove it`, file) : weakenedFinding(message, file)
    })
  })
}

/** Returns the test files, recognised by name, that the work deleted. */
export function deletedTestFiles({ files }: Pick<Comparison, 'files'>): readonly string[] {
  return files.filter(({ path, to }) => isTestFile(path) && (to === null || !isTestFile(to))).flatMap(goneFile)
}

/** Creates a finding that needs a person's approval, about something that can be restored. */
export function weakenedFinding(what: string, file: string | null): Finding {
  return approvable(`${what}. Restore it`, file)
}

function approvable(what: string, file: string | null): Finding {
  const message = `${what}: only a person may approve a weaker check.`
  return finding(CHECKS_SOURCE, message, { file, needsPerson: true })
}

function goneFile({ path, kind }: FileDifference): readonly string[] {
  return kind === 'deleted' || kind === 'renamed' ? [path] : []
}
