import type { ComparedDefinition } from '../definitions/compare-definitions.ts'
import { isTestText } from '../definitions/module-text.ts'
import { isMock, isTestFile, isTestSupport } from '../definitions/test-files.ts'
import type { Check } from '../model/effect.ts'
import type { Commit } from '../model/ids.ts'
import type { VariantFile } from '../model/variant.ts'
import { type Finding, finding } from '../model/verdict.ts'
import { excerpt } from '../reading/text.ts'
import type { BaseRun, CheckRun } from './check-run.ts'
import { classifyFailures, namesText } from './classify-failures.ts'
import { withTestsOf } from './inline-tests.ts'
import type { FileDifference } from './weakened.ts'

/** Texts of files by path, on the base and with the work. */
export interface ChangedTexts {
  readonly before: ReadonlyMap<string, string>
  readonly after: ReadonlyMap<string, string>
}

/** Returns the changed files whose texts show whether they are or contain tests, because their paths do not. */
export function filesToRead(files: readonly FileDifference[]): readonly string[] {
  return files.map(({ path }) => path).filter((path) => SOURCE.test(path) && !isTestFile(path))
}

/**
 * Returns the tests, what supports them, and the check files that the work changed, moved or removed, as they were on the
 * base. Tests that the work added are left out, because they can steer the others: by replacing what those test, too.
 */
export function filesToRestore(
  files: readonly FileDifference[],
  definitions: Iterable<ComparedDefinition>,
  base: Commit,
  texts: ChangedTexts,
): readonly VariantFile[] {
  const defining = new Set([...definitions].flatMap(({ changes }) => changes.map(({ file }) => file)))
  const isOfChecks = (path: string) => defining.has(path) && !MANIFEST.test(path)
  const changed = files.filter(({ path, kind, to }) => {
    if (kind === 'added') return isTest(path, texts.after) || isMock(path) || isOfChecks(path)
    return isTest(path, texts.before) || isTestSupport(path) || isOfChecks(path) || (to !== null && isOfChecks(to))
  })
  const paths = new Set(changed.flatMap(({ path, to }) => (to === null ? [path] : [path, to])))
  const inside = files.filter(({ path }) => !paths.has(path)).flatMap(({ path }) => withOldTests(path, texts))
  return [...[...paths].map((path) => ({ path, from: base })), ...inside]
}

function isTest(path: string, texts: ReadonlyMap<string, string>): boolean {
  return isTestFile(path) || isTestText(texts.get(path) ?? '')
}

/** Returns a file of the work with the tests that it contained on the base, if it is one that contains tests. */
function withOldTests(path: string, { before, after }: ChangedTexts): readonly VariantFile[] {
  const [old, now] = [before.get(path), after.get(path)]
  if (!path.endsWith('.rs') || old === undefined || now === undefined) return []
  const text = withTestsOf(old, now)
  return text === null ? [] : [{ path, text }]
}

/** True when tests of the base can hold anything against the work: something passed there, or nothing is known. */
export function hadPasses(base: readonly BaseRun[]): boolean {
  return base.length === 0 || base.some(({ receipt }) => receipt.passed || (receipt.tests?.passed ?? 0) > 0)
}

/** Returns the finding about tests of the base that fail on the new code, or null when they pass. */
export function baseTestsFinding(
  check: Check,
  run: CheckRun,
  base: readonly BaseRun[],
  restored: readonly VariantFile[],
): Finding | null {
  const { passes } = classifyFailures(check, [run], base)
  if (passes) return null
  const known = new Set(base.flatMap(({ names }) => names.failed.map(({ name }) => name)))
  const names = run.failures.map(({ name }) => name).filter((name) => !known.has(name))
  const files = namesText(restored.map(({ path }) => path))
  const what = names.length === 0 ? `the check ${check.name} fails` : `tests of the check ${check.name} fail`
  const which = names.length === 0 ? '' : `: ${namesText(names)}`
  const message = `${what} on this work with the files of the base (${files})${which}. Keep what they demand; only a person may approve that they changed.`
  return finding('base tests', message, { excerpt: excerpt(run.output), needsPerson: true })
}

const SOURCE = /\.(?:[cm]?[jt]sx?|py|rs)$/
// Restoring these would take dependencies away from the new code; changes of check definitions in them are findings anyway.
const MANIFEST =
  /(?:^|\/)(?:package\.json|package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|pyproject\.toml|setup\.cfg|uv\.lock|poetry\.lock|requirements[^/]*\.txt|Cargo\.(?:toml|lock)|go\.(?:mod|sum)|build\.gradle(?:\.kts)?|pom\.xml)$/
