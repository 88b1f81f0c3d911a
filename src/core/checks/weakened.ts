import type { Check } from '../model/effect.ts'
import type { Tree } from '../model/ids.ts'
import { type Finding, finding } from '../model/verdict.ts'
import { type Definition, definitionsOf, entryText, type Texts } from './check-definitions.ts'

/** A file that differs between two commits; `to`: where it has gone, if that is what happened to it. */
export interface FileDifference {
  readonly path: string
  readonly kind: 'added' | 'changed' | 'deleted' | 'renamed'
  readonly to: string | null
}

/** What differs between the commit that work started from and the work. */
export interface Comparison {
  readonly kind: 'comparison'
  /** The files of the commit before. */
  readonly tree: Tree
  readonly files: readonly FileDifference[]
  readonly before: Texts
  readonly after: Texts
}

/** The source of findings about checks that the work has weakened. */
const CHECKS_SOURCE = 'checks'

/** What the work changed of what its own checks do. What did not exist before may be made freely. */
export function changedDefinitions(checks: readonly Check[], comparison: Comparison): readonly Finding[] {
  const told = new Set<string>()
  return checks.flatMap((check) => {
    if (check.onFail !== 'block') return []
    return definitionsOf(check.run, comparison.before).flatMap((definition) => {
      const changes = changesOf(definition, comparison).filter(({ what }) => !told.has(what))
      for (const { what } of changes) told.add(what)
      return changes.map(({ file, what }) =>
        weakenedFinding(`what the check ${check.name} does was changed: ${what}`, file),
      )
    })
  })
}

/** The test files, by the names that people give them, that the work deleted. */
export function deletedTestFiles({ files }: Comparison): readonly string[] {
  return files.filter(({ path, to }) => isTestFile(path) && (to === null || !isTestFile(to))).flatMap(goneFile)
}

/** A finding that only a person may let be. */
export function weakenedFinding(what: string, file: string | null): Finding {
  const message = `${what}. Restore it: work may not weaken its own checks, and only a person may allow it.`
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

/** The lines below headings that match, without what does not matter. */
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
