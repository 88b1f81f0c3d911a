import { importsOf, namedFiles, namedPrograms, registersTests, spawnedCommands } from './module-text.ts'
import { NODE_TOOLS } from './node-tools.ts'
import { nameOf } from './paths.ts'
import { isTestFile, isTestSupport } from './test-files.ts'
import type { Position, Trail } from './trail.ts'

/** Follows a JavaScript, TypeScript or Python script to the files that it requires and the commands that it starts. */
export function followModule(file: string, from: Position, trail: Trail): void {
  const text = trail.snapshot.text(file)
  if (text === null) return
  for (const command of [...spawnedCommands(text), ...namedPrograms(text, PROGRAMS)]) {
    trail.follow(command, { ...from, script: file })
  }
  for (const candidates of importsOf(file, text)) {
    const existing = candidates.find((path) => trail.snapshot.has(path))
    if (existing !== undefined && isPartOfCheck(existing, trail)) followRequired(candidates, from, trail)
  }
}

/** Follows a runner's configuration to the files that it imports, and to those that its settings name. */
export function followConfiguration(file: string, text: string, from: Position, trail: Trail): void {
  if (!trail.visit(`configuration ${file}`)) return
  const named = namedFiles(file, text).filter((candidates) => candidates.some((path) => trail.snapshot.has(path)))
  const imported = importsOf(file, text).filter((candidates) => {
    const existing = candidates.find((path) => trail.snapshot.has(path))
    return existing !== undefined && !PRODUCT.test(existing) && nameOf(existing) !== 'package.json'
  })
  for (const candidates of [...named, ...imported]) {
    const existing = followRequired(candidates, from, trail)
    const inner = existing === null ? null : trail.snapshot.text(existing)
    if (existing !== null && inner !== null) followConfiguration(existing, inner, from, trail)
  }
}

function followRequired(candidates: readonly string[], from: Position, trail: Trail): string | null {
  const file = trail.first(candidates, { reader: 'the check', ifNew: 'finding' })
  if (file !== null && trail.visit(`module ${file}`)) followModule(file, from, trail)
  return file
}

/** True for a file that belongs to the check, false for one of the code that it checks. */
function isPartOfCheck(path: string, trail: Trail): boolean {
  if (nameOf(path) === 'package.json') return false
  if (PRODUCT.test(path) && !isTestFile(path) && !isTestSupport(path)) return false
  const text = trail.snapshot.text(path)
  if (text === null || registersTests(text)) return false
  return isTestFile(path) || isTestSupport(path) || TOOLS.test(path) || DECIDES.test(text)
}

const PRODUCT = /(?:^|\/)(?:src|app)\//
const TOOLS =
  /(?:^|\/)(?:scripts?|tools?|tooling|ci|\.ci|\.github|checks?|hack)\/|(?:^|[/.-])(?:check|test|assert|expect|harness|runner|setup|verify|lint)[^/]*$/i
const DECIDES =
  /process\.exit|exitCode|\bassert|node:test|child_process|\bexpect\(|sys\.exit|os\._exit|\bsubprocess\b|\bunittest\b|\bpytest\b/
const PROGRAMS = new Map(Object.entries(NODE_TOOLS).map(([program, tool]) => [program, tool.package]))
