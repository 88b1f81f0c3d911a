import { packageScripts } from './follow-package-scripts.ts'
import { foldersUp, isBelow, joined } from './paths.ts'
import type { Snapshot } from './snapshot.ts'
import { optionValues, plainArguments } from './step-arguments.ts'
import type { Follower, Step, Trail } from './trail.ts'
import { type Member, matcher, membersOf, workspaceRoot } from './workspaces.ts'

/** Follows npm, pnpm, yarn and bun to the scripts of the packages that they are run for. */
export const followPackageTool: Follower = (step, trail) => {
  const [moved] = optionValues(step.args, FOLDER_OPTIONS)
  const folder = moved === undefined ? step.folder : joined(step.folder, moved)
  const words = plainArguments(beforeDashes(step.args), [...FOLDER_OPTIONS, ...SELECTING])
  const { program, script, rest, selected } = wanted(step, words)
  if (script === null) return
  const selectors = [...optionValues(step.args, SELECTING), ...selected]
  if (selectors.length === 0 && !step.args.some((arg) => ALL_MEMBERS.includes(arg)) && program !== 'all') {
    const isScript = packageScripts(script, folder, step, trail)
    if (!isScript && step.program !== 'npm') runProgram([script, ...rest], folder, step, trail)
    return
  }
  followMembers(script, folder, selectors, step, trail)
}

/** Follows a script in the members of a workspace that selectors mean; in all when there are none. */
export function followMembers(
  script: string,
  folder: string,
  selectors: readonly string[],
  step: Step,
  trail: Trail,
): void {
  const root = workspaceRoot(foldersUp(folder), trail.snapshot) ?? folder
  const members = membersOf(root, trail.snapshot).filter((member) => isSelected(member, root, selectors))
  guardMembership(root, members, selectors, trail)
  for (const member of members) packageScripts(script, member.folder, step, trail)
}

/** Guards that the members that a check covers stay members. */
function guardMembership(root: string, members: readonly Member[], selectors: readonly string[], trail: Trail): void {
  const what = selectors.length === 0 ? 'the list of members' : `the list of members for ${selectors.join(' ')}`
  const folders = members.map((member) => member.folder)
  const covered = (_: string, snapshot: Snapshot) => {
    const still = membersOf(root, snapshot).map((member) => member.folder)
    return folders.filter((folder) => still.includes(folder)).join(', ')
  }
  for (const file of ['package.json', 'pnpm-workspace.yaml']) {
    trail.excerpt(joined(root, file), what, covered, { reader: 'npm', ifNew: 'free' })
  }
}

interface Wanted {
  readonly program: string
  readonly script: string | null
  readonly rest: readonly string[]
  readonly selected: readonly string[]
}

/** Returns the script that "npm test", "pnpm run check", "yarn workspace p check" or "bun run x" runs. */
function wanted({ program }: Step, [first, second, ...rest]: readonly string[]): Wanted {
  const plain = { program, selected: [] }
  if (first === undefined) return { ...plain, script: null, rest: [] }
  if (program === 'yarn' && first === 'workspace') {
    return { program, selected: [second ?? ''], ...pick(rest[0] === 'run' ? rest.slice(1) : rest) }
  }
  if (first === 'workspaces') return { program: 'all', selected: [], ...pick(rest.filter((word) => word !== 'run')) }
  if (RUNS.has(first)) return { ...plain, script: second ?? null, rest }
  const others = second === undefined ? rest : [second, ...rest]
  if (TESTS.has(first) && program !== 'bun') return { ...plain, script: 'test', rest: others }
  if (program === 'npm') return { ...plain, script: LIFECYCLE.has(first) ? first : null, rest: others }
  return { ...plain, script: program === 'bun' && first === 'test' ? null : first, rest: others }
}

function pick([script, ...rest]: readonly string[]): {
  readonly script: string | null
  readonly rest: readonly string[]
} {
  return { script: script ?? null, rest }
}

/** Follows a program of node_modules/.bin, which pnpm, yarn and bun run when there is no such script. */
function runProgram(words: readonly string[], folder: string, step: Step, trail: Trail): void {
  const [program = '', ...args] = words
  const at = step.args.indexOf(program)
  const written = at < 0 ? args : step.args.slice(at + 1)
  const text = [program, ...written].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  trail.follow(text, { ...step, folder, isInPackage: true })
}

function isSelected({ folder, name }: Member, root: string, selectors: readonly string[]): boolean {
  const chosen = selectors.filter((selector) => !selector.startsWith('!'))
  return (
    chosen.length === 0 ||
    chosen.some((selector) => {
      const plain = selector.replace(/^\.{3}\^?|\^?\.{3}$|\[[^\]]*\]|^\{|\}$/g, '')
      const path = joined(root, plain)
      return (
        plain === '' ||
        matcher(plain).test(name) ||
        matcher(path).test(folder) ||
        (/[/.]/.test(plain) && isBelow(folder, path)) ||
        nameEnds(name, plain)
      )
    })
  )
}

// pnpm accepts a name without its scope.
function nameEnds(name: string, plain: string): boolean {
  return name.startsWith('@') && name.endsWith(`/${plain}`)
}

function beforeDashes(args: readonly string[]): readonly string[] {
  const at = args.indexOf('--')
  return at < 0 ? args : args.slice(0, at)
}

const FOLDER_OPTIONS = ['--prefix', '-C', '--cwd', '--dir']
const SELECTING = ['-w', '--workspace', '--filter', '-F']
const ALL_MEMBERS = ['--workspaces', '-ws', '-r', '--recursive']
const RUNS = new Set(['run', 'run-script', 'rum', 'urn'])
const TESTS = new Set(['test', 't', 'tst', 'it', 'cit', 'install-test', 'install-ci-test'])
const LIFECYCLE = new Set(['start', 'stop', 'restart'])
