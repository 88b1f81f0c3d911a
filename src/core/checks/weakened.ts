import type { Check } from '../model/effect.ts'
import type { Tree } from '../model/ids.ts'
import { type Finding, finding } from '../model/verdict.ts'
import { type Definition, definitionsOf, entryText, type Texts } from './check-definitions.ts'

/** File that differs between two commits; `to` is its new path after a rename. */
export interface FileDifference {
  readonly path: string
  readonly kind: 'added' | 'changed' | 'deleted' | 'renamed'
  readonly to: string | null
}

/** Difference between the work and the commit that it started from. */
export interface Comparison {
  readonly kind: 'comparison'
  /** Tree of the commit before. */
  readonly tree: Tree
  readonly files: readonly FileDifference[]
  readonly before: Texts
  readonly after: Texts
}

/** Source of findings about weakened checks. */
const CHECKS_SOURCE = 'checks'

/** Returns findings about changed definitions of the work's own checks. New definitions are allowed. */
export function changedDefinitions(checks: readonly Check[], comparison: Comparison): readonly Finding[] {
  const reported = new Set<string>()
  return checks.flatMap((check) => {
    if (check.onFail !== 'block') return []
    return definitionsOf(check.run, comparison.before).flatMap((definition) => {
      const changes = changesOf(definition, comparison).filter(({ what }) => !reported.has(what))
      for (const { what } of changes) reported.add(what)
      return changes.map(({ file, what }) =>
        weakenedFinding(`the definition of the check ${check.name} was changed: ${what}`, file),
      )
    })
  })
}

/** Returns the test files, recognised by name, that the work deleted. */
export function deletedTestFiles({ files }: Comparison): readonly string[] {
  return files.filter(({ path, to }) => isTestFile(path) && (to === null || !isTestFile(to))).flatMap(goneFile)
}

/** Creates a finding that needs a person's approval. */
export function weakenedFinding(what: string, file: string | null): Finding {
  const message = `${what}. Restore it: only a person may approve a weaker check.`
  return finding(CHECKS_SOURCE, message, { file, needsPerson: true })
}

interface Change {
  readonly file: string
  readonly what: string
}

function changesOf(definition: Definition, { files, before, after }: Comparison): readonly Change[] {
  switch (definition.kind) {
    case 'file':
      return files.filter(({ path }) => path === definition.file).flatMap(touched)
    case 'named':
      return files.filter(({ path }) => definition.name.test(path)).flatMap(touched)
    case 'entry': {
      const { file, entry } = definition
      const [was, is] = [entryText(before.get(file) ?? '', entry), entryText(after.get(file) ?? '', entry)]
      return was === null || was === is ? [] : [{ file, what: `${entry.join('.')} in ${file} ${wasText(was, is)}` }]
    }
    case 'section': {
      const { file, heading } = definition
      const [was, is] = [sectionText(before.get(file), heading), sectionText(after.get(file), heading)]
      return was === '' || was === is ? [] : [{ file, what: `the settings of its test runner in ${file}` }]
    }
  }
}

function touched({ path, kind }: FileDifference): readonly Change[] {
  if (kind === 'added') return []
  return [{ file: path, what: kind === 'changed' ? path : `${path} is gone` }]
}

function goneFile({ path, kind }: FileDifference): readonly string[] {
  return kind === 'deleted' || kind === 'renamed' ? [path] : []
}

function wasText(was: string, is: string | null): string {
  return is === null ? `was ${quoted(was)} and is gone` : `was ${quoted(was)} and is ${quoted(is)}`
}

function quoted(text: string): string {
  return `"${text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX)}…`}"`
}

/** Returns the lines below matching headings, without blank lines and comments. */
function sectionText(text: string | undefined, heading: RegExp): string {
  let isInside = false
  const lines = (text ?? '').split('\n').filter((line) => {
    if (/^\s*\[/.test(line)) isInside = heading.test(line.trim())
    return isInside && line.trim() !== '' && !/^\s*[#;]/.test(line)
  })
  return lines.map((line) => line.trim()).join('\n')
}

function isTestFile(path: string): boolean {
  return TEST_FILE.test(path)
}

const TEXT_MAX = 100
const TEST_FILE =
  /(?:^|\/)(?:tests?|__tests__|spec)\/|\.(?:test|spec)\.\w+$|_test\.(?:go|py|rb|exs)$|(?:^|\/)test_[^/]*\.py$|_spec\.rb$|Tests?\.(?:java|kt|cs|swift)$/
