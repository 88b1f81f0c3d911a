import { guardNodeCoverage } from './coverage-settings.ts'
import { followScript } from './follow-script.ts'
import { FOLLOWERS } from './followers.ts'
import { foldersUp, joined, nameOf } from './paths.ts'
import type { ShellCommand, SimpleCommand } from './shell-command.ts'
import type { Position, Step, Trail } from './trail.ts'
import { unwrapped } from './unwrap.ts'

/** Follows the commands of a shell text to the programs that they run. */
export function followCommand(commands: readonly ShellCommand[], from: Position, trail: Trail): void {
  followAll(commands, { folder: from.folder, variables: new Map() }, from, trail)
}

/** Folder and variables, which earlier commands change for later ones. */
interface ShellState {
  folder: string
  readonly variables: Map<string, string>
}

function followAll(commands: readonly ShellCommand[], state: ShellState, from: Position, trail: Trail): void {
  for (const command of commands) {
    if (command.kind === 'group') {
      followAll(command.commands, { folder: state.folder, variables: new Map(state.variables) }, from, trail)
    } else {
      followSimple(command, state, from, trail)
    }
  }
}

function followSimple(
  { words: written, variables, input }: SimpleCommand,
  state: ShellState,
  from: Position,
  trail: Trail,
): void {
  const words = written.map((word) => expanded(word, state.variables))
  const [program, ...args] = words
  if (program === undefined || DECLARES.has(program)) {
    const declared = args.flatMap((arg) => assignment(arg))
    for (const [name, value] of [...Object.entries(variables), ...declared]) {
      state.variables.set(name, expanded(value, state.variables))
    }
  } else if (CHANGES_FOLDER.has(program)) {
    state.folder = changedFolder(args.find((arg) => !arg.startsWith('-')) ?? '', state.folder, from)
  } else {
    const options = variables.NODE_OPTIONS ?? assignedTo('NODE_OPTIONS', words)
    if (options !== null) followWords(['node', ...options.split(/\s+/)], null, { ...from, folder: state.folder }, trail)
    for (const value of [variables.BASH_ENV, variables.ENV, variables.PYTHONSTARTUP]) {
      if (value !== undefined) followWords(['.', value], null, { ...from, folder: state.folder }, trail)
    }
    followWords(words, input, { ...from, folder: state.folder }, trail)
  }
}

function followWords(words: readonly string[], input: string | null, from: Position, trail: Trail): void {
  const inner = unwrapped(words)
  if (inner === null) followProgram(words, input, from, trail)
  else if (inner.kind === 'text') trail.follow(inner.text, from)
  else {
    const program = nameOf(words[0] ?? '')
    if (program === 'c8' || program === 'nyc') guardNodeCoverage(program, from.folder, trail)
    const isInPackage = from.isInPackage || NODE_WRAPPERS.test(words.slice(0, 2).join(' '))
    followWords(inner.words, input, { ...from, isInPackage }, trail)
  }
}

function followProgram(
  [path = '', ...args]: readonly string[],
  input: string | null,
  from: Position,
  trail: Trail,
): void {
  if (path !== '') followStep({ ...from, program: nameOf(path), path, args, input }, trail)
}

function followStep(step: Step, trail: Trail): void {
  const { path, program, isInPackage, folder } = step
  if (isInPackage) localPrograms(folder, trail)
  const isFile = path.includes('/') && !path.startsWith('/') && trail.snapshot.has(joined(folder, path))
  if (isFile || ((path.startsWith('./') || path.includes('$')) && !Object.hasOwn(FOLLOWERS, program)))
    followScript(path, step, trail)
  if (Object.hasOwn(FOLLOWERS, program)) FOLLOWERS[program]?.(step, trail)
}

/** Guards the folders in which npm finds programs before those of the machine. */
function localPrograms(folder: string, trail: Trail): void {
  for (const at of foldersUp(folder)) {
    trail.every(joined(at, 'node_modules/.bin'), /(?:^|\/)node_modules\//, { reader: 'npm', ifNew: 'finding' })
  }
}

function changedFolder(to: string, folder: string, { script }: Position): string {
  if (script !== null && /dirname|BASH_SOURCE|\$0|%\/\*/.test(to))
    return joined(script, `../${to.split(/\)|\}|"/).at(-1) ?? ''}`)
  if (/show-toplevel/.test(to)) return ''
  return to.includes('$') || to.startsWith('/') ? folder : joined(folder, to)
}

function expanded(word: string, variables: ReadonlyMap<string, string>): string {
  return word.replace(/\$(?:(\w+)|\{(\w+)(?::?-([^}]*))?\})/g, (all, plain, braced, fallback) => {
    return variables.get(plain ?? braced) ?? fallback ?? all
  })
}

function assignment(word: string): readonly (readonly [string, string])[] {
  const at = word.indexOf('=')
  return at <= 0 ? [] : [[word.slice(0, at), word.slice(at + 1)]]
}

function assignedTo(name: string, words: readonly string[]): string | null {
  const word = words.find((at) => at.startsWith(`${name}=`))
  return word?.slice(name.length + 1) ?? null
}

const DECLARES = new Set(['export', 'declare', 'local', 'readonly', 'typeset'])
const CHANGES_FOLDER = new Set(['cd', 'pushd'])
const NODE_WRAPPERS = /^(?:npx|pnpx|bunx|(?:npm|pnpm|yarn|bun) (?:exec|x|dlx))\b/
