import type { RunnerKind } from './check-definition.ts'
import { followModule } from './follow-module.ts'
import { registersTests } from './module-text.ts'
import { folderOf, joined } from './paths.ts'
import { isTestFile } from './test-files.ts'
import type { Position, Step, Trail } from './trail.ts'

/** Follows a script file that a command runs or sources. */
export function followScript(path: string, step: Step, trail: Trail): void {
  const file = fileMeant(path, step, trail)
  if (file === null) return
  if (followTests(file, step, trail)) return
  const real = trail.file(file, { reader: 'the check', ifNew: 'free' })
  const text = trail.snapshot.text(real)
  if (text === null || !trail.visit(`script ${real} in ${step.folder}`)) return
  const language = languageOf(real, text, step.program)
  if (language === 'shell') trail.follow(text, { ...step, script: real })
  else if (language !== null) followModule(real, step, trail)
}

/** Adds the runner of a script that is itself a test. Tests may grow: with a framework they are counted, else lines are. */
function followTests(file: string, step: Step, trail: Trail): boolean {
  const text = isTestFile(file) ? trail.snapshot.text(file) : null
  if (text === null) return false
  const framework = registersTests(text) ? FRAMEWORKS.find(([name]) => name.test(text))?.[1] : undefined
  const kind = framework ?? PLAIN_SCRIPTS.find(([name]) => name.test(file))?.[1]
  if (kind === undefined) return false
  const { folder } = step
  trail.runner({ kind, folder, files: [file.slice(folder === '' ? 0 : folder.length + 1)] })
  if (framework !== undefined) return true
  trail.excerpt(file, 'lines', (whole) => whole, { reader: 'the check', ifNew: 'free', mayGrow: true })
  if (trail.visit(`script ${file} in ${folder}`)) followModule(file, step, trail)
  return true
}

/** Finds the file that a path means; one with a variable is looked for beside the script and in the folder. */
function fileMeant(path: string, { folder, script }: Position, trail: Trail): string | null {
  if (path.startsWith('/') || path.startsWith('~')) return null
  if (!/[$`]/.test(path)) return joined(folder, path)
  const tail = path.slice(Math.max(...['$', '}', ')', '`', '"'].map((mark) => path.lastIndexOf(mark))))
  const rest = tail.slice(Math.max(0, tail.indexOf('/')) + 1)
  const folders = script === null ? [folder] : [folderOf(script), folder]
  return rest === '' ? null : (folders.map((at) => joined(at, rest)).find((at) => trail.snapshot.has(at)) ?? null)
}

function languageOf(file: string, text: string, program: string): 'shell' | 'module' | null {
  if (program === 'source' || program === '.' || /\.(?:sh|bash|zsh|bats)$/.test(file)) return 'shell'
  if (/\.(?:[cm]?[jt]sx?|py)$/.test(file)) return 'module'
  const first = text.slice(0, Math.max(0, text.indexOf('\n')))
  if (/^#!.*\b(?:node|python[\d.]*|deno|bun|tsx)\b/.test(first)) return 'module'
  return first.startsWith('#!') && !/sh\b/.test(first) ? null : 'shell'
}

const PLAIN_SCRIPTS: readonly (readonly [RegExp, RunnerKind])[] = [
  [/\.[cm]?[jt]s$/, 'node-script'],
  [/\.py$/, 'python-script'],
]
const FRAMEWORKS: readonly (readonly [RegExp, RunnerKind])[] = [
  [/["']node:test["']/, 'node-test'],
  [/["'](?:tape|tap|uvu)["']/, 'tap'],
  [/\bunittest\.main\b/, 'unittest'],
]
