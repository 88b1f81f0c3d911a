import { type CommandStep, commandSteps, joined } from './command-steps.ts'

/** Part of the repository that defines what a check does. */
export type Definition =
  | { readonly kind: 'file'; readonly file: string }
  /** Entry of a package.json, like scripts.test. */
  | { readonly kind: 'entry'; readonly file: string; readonly entry: readonly string[] }
  /** Sections of a settings file whose headings match. */
  | { readonly kind: 'section'; readonly file: string; readonly heading: RegExp }
  /** Any file whose name matches. */
  | { readonly kind: 'named'; readonly name: RegExp }

/** File texts by path. */
export type Texts = ReadonlyMap<string, string>

/** Returns the files to read before `definitionsOf` can resolve commands. */
export function filesToRead(commands: readonly string[]): readonly string[] {
  const folders = commands.flatMap((command) => commandSteps(command).map(packageFolder))
  return [...new Set(['', ...folders])].flatMap((folder) => READ.map((name) => joined(folder, name)))
}

/** Returns the definitions of a command: scripts of package.json, script files, and settings of test runners. */
export function definitionsOf(command: string, texts: Texts, folder = '', depth = 0): readonly Definition[] {
  if (depth > SCRIPTS_DEEP_MAX) return []
  return commandSteps(command, folder).flatMap((step) => [
    ...ofPackage(step, texts, depth),
    ...ofMake(step),
    ...ofScript(step),
    ...ofRunner(step),
  ])
}

function ofPackage(step: CommandStep, texts: Texts, depth: number): readonly Definition[] {
  const script = PACKAGE_TOOLS.has(step.program) ? scriptNamed(step) : null
  if (script === null) return []
  const folder = packageFolder(step)
  const file = joined(folder, 'package.json')
  const names = [`pre${script}`, script, `post${script}`]
  const entries = names.map((name): Definition => ({ kind: 'entry', file, entry: ['scripts', name] }))
  const behind = names.flatMap((name) => {
    const text = entryText(texts.get(file) ?? '', ['scripts', name])
    return text === null ? [] : definitionsOf(text, texts, folder, depth + 1)
  })
  return [...entries, ...behind]
}

/** Returns the script that "npm test", "npm run check" or "yarn check" runs. */
function scriptNamed({ program, words }: CommandStep): string | null {
  const plain = words.filter((word, at) => !word.startsWith('-') && !FOLDER_FLAGS.has(words[at - 1] ?? ''))
  const [first, second] = plain
  if (first === undefined) return null
  if (RUNS.has(first)) return second ?? null
  if (program === 'npm') return NPM_TEST.has(first) ? 'test' : null
  return program === 'bun' && first === 'test' ? null : first
}

function packageFolder({ folder, program, words }: CommandStep): string {
  if (!PACKAGE_TOOLS.has(program)) return folder
  const at = words.findIndex((word) => FOLDER_FLAGS.has(word))
  return at < 0 ? folder : joined(folder, words[at + 1] ?? '')
}

function ofMake({ program, words, folder }: CommandStep): readonly Definition[] {
  if (program === 'just') return [{ kind: 'file', file: joined(folder, 'justfile') }]
  if (program !== 'make') return []
  const at = words.indexOf('-C')
  const where = at < 0 ? folder : joined(folder, words[at + 1] ?? '')
  return MAKEFILES.map((name) => ({ kind: 'file', file: joined(where, name) }))
}

function ofScript({ program, words, folder }: CommandStep): readonly Definition[] {
  if (program.includes('/') && !program.startsWith('/')) return [{ kind: 'file', file: joined(folder, program) }]
  // Tests follow --test, a module follows -m, and code follows -c.
  if (!INTERPRETERS.has(program) || words.some((word) => word === '--test' || word === '-m' || word === '-c')) return []
  const script = words.find((word) => !word.startsWith('-') && word !== 'run')
  return script === undefined || script.startsWith('/') ? [] : [{ kind: 'file', file: joined(folder, script) }]
}

function ofRunner({ program, words, folder }: CommandStep): readonly Definition[] {
  const name = words[0] === '-m' ? (words[1] ?? '') : (program.split('/').at(-1) ?? '')
  return RUNNERS[name]?.(folder) ?? []
}

/** Returns an entry of a JSON text as text, or null when there is none. */
export function entryText(json: string, entry: readonly string[]): string | null {
  const value = entry.reduce<unknown>((holder, key) => {
    return typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>)[key] : undefined
  }, parsed(json))
  if (value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null // not JSON, so it has no entries
  }
}

const SCRIPTS_DEEP_MAX = 3
const READ = ['package.json', 'pyproject.toml', 'setup.cfg', 'tox.ini', 'Cargo.toml']
const PACKAGE_TOOLS = new Set(['npm', 'pnpm', 'yarn', 'bun'])
const RUNS = new Set(['run', 'run-script', 'rum', 'urn'])
const NPM_TEST = new Set(['test', 't', 'tst', 'it', 'cit'])
const FOLDER_FLAGS = new Set(['--prefix', '-C', '--cwd', '--dir'])
const MAKEFILES = ['Makefile', 'makefile', 'GNUmakefile']
const INTERPRETERS = new Set('sh bash dash zsh node python python3 ruby perl php deno tsx ts-node'.split(' '))

type InFolder = (folder: string) => readonly Definition[]

const RUNNERS: Readonly<Record<string, InFolder>> = {
  vitest: () => [{ kind: 'named', name: /(?:^|\/)vitest\.(?:config|workspace)\.\w+$/ }],
  jest: (folder) => [
    { kind: 'named', name: /(?:^|\/)jest\.config\.\w+$/ },
    { kind: 'entry', file: joined(folder, 'package.json'), entry: ['jest'] },
  ],
  mocha: (folder) => [
    { kind: 'named', name: /(?:^|\/)\.mocharc\.\w+$/ },
    { kind: 'entry', file: joined(folder, 'package.json'), entry: ['mocha'] },
  ],
  pytest: (folder) => [
    { kind: 'file', file: joined(folder, 'pytest.ini') },
    { kind: 'section', file: joined(folder, 'pyproject.toml'), heading: /^\[tool\.pytest\b/ },
    { kind: 'section', file: joined(folder, 'setup.cfg'), heading: /^\[tool:pytest\]/ },
    { kind: 'section', file: joined(folder, 'tox.ini'), heading: /^\[pytest\]/ },
  ],
  tox: (folder) => [{ kind: 'file', file: joined(folder, 'tox.ini') }],
  cargo: (folder) => [
    { kind: 'section', file: joined(folder, 'Cargo.toml'), heading: /^\[(?:lib|\[test\])\]/ },
    { kind: 'named', name: /(?:^|\/)nextest\.toml$/ },
  ],
}
