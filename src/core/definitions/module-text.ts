import { folderOf, joined } from './paths.ts'

/** Paths of which the first that exists is meant. */
export type Candidates = readonly string[]

/** Returns the files that a module imports from its own repository. */
export function importsOf(file: string, whole: string): readonly Candidates[] {
  const text = whole.slice(0, TEXT_MAX)
  return file.endsWith('.py') || /^#!.*python/.test(text) ? pythonImports(file, text) : scriptImports(file, text)
}

/** Returns the files that the settings of a runner name, like setupFiles and globalSetup. */
export function namedFiles(file: string, text: string): readonly Candidates[] {
  return [...text.slice(0, TEXT_MAX).matchAll(NAMING)].flatMap(([, value = '']) =>
    [...value.matchAll(STRING)].map(([, , name = '']) =>
      scriptCandidates(joined(folderOf(file), name.replace('<rootDir>', '.'))),
    ),
  )
}

/** Returns the shell commands that a script starts, as far as they are written out. */
export function spawnedCommands(whole: string): readonly string[] {
  const text = whole.slice(0, TEXT_MAX)
  const executed = [...text.matchAll(EXECUTES)].map(([, , command = '']) => command)
  const split = [...text.matchAll(SPAWNS)].map(([, , program = '', args = '']) => {
    const words = [...args.matchAll(STRING)].map(([, , word = '']) => word)
    return [program, ...words]
      .filter((word) => word !== '')
      .map(quoted)
      .join(' ')
  })
  return [...executed, ...split].filter((command) => !command.includes('${')).slice(0, COMMANDS_MAX)
}

/** Returns programs that a script which starts processes names in its strings, like "vitest/vitest.mjs". */
export function namedPrograms(text: string, packages: ReadonlyMap<string, string>): readonly string[] {
  if (!STARTS.test(text)) return []
  const strings = [...text.slice(0, TEXT_MAX).replace(IMPORT_LINES, '').matchAll(STRING)].map(
    ([, , string = '']) => string,
  )
  return [...packages].flatMap(([program, name]) => {
    const isNamed = strings.some((at) => at === program || at.endsWith(`/${program}`) || at.includes(`${name}/`))
    return isNamed ? [program] : []
  })
}

/** True for a text that registers tests with a framework. */
export function registersTests(text: string): boolean {
  return REGISTERS.test(text.slice(0, TEXT_MAX))
}

/** True for a text that registers tests, asserts something and offers nothing to others: a test file, whatever its name. */
export function isTestText(whole: string): boolean {
  const text = whole.slice(0, TEXT_MAX)
  return registersTests(text) && ASSERTS.test(text) && !OFFERS.test(text)
}

function scriptImports(file: string, text: string): readonly Candidates[] {
  return [...text.matchAll(IMPORTS)].map(([, , from = '']) => scriptCandidates(joined(folderOf(file), from)))
}

/** Returns the paths that a name without or with another extension may mean. */
function scriptCandidates(path: string): Candidates {
  const bare = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')
  const extended = EXTENSIONS.map((extension) => `${path}.${extension}`)
  return [...new Set([path, bare, ...extended, ...EXTENSIONS.map((extension) => `${path}/index.${extension}`)])]
}

function pythonImports(file: string, text: string): readonly Candidates[] {
  const plugins = [...text.matchAll(PLUGINS)].flatMap(([, list = '']) => [...list.matchAll(STRING)])
  const named = plugins.map(([, , module = '']) => pythonCandidates(file, module))
  const imported = [...text.matchAll(PYTHON_IMPORTS)].flatMap(([, from, names = '', plain = '']) => {
    if (from === undefined)
      return plain.split(',').map((name) => pythonCandidates(file, name.trim().split(' ')[0] ?? ''))
    const inner = names.split(/[,()\s]+/).filter((name) => /^\w+$/.test(name))
    return [pythonCandidates(file, from), ...inner.map((name) => pythonCandidates(file, `${from}.${name}`))]
  })
  return [...named, ...imported]
}

function pythonCandidates(file: string, module: string): Candidates {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0
  const path = module.slice(dots).replaceAll('.', '/')
  const here = joined(folderOf(file), '../'.repeat(Math.max(0, dots - 1)))
  const folders = dots > 0 ? [here] : [here, '']
  return path === ''
    ? []
    : folders.flatMap((folder) => [joined(folder, `${path}.py`), joined(folder, `${path}/__init__.py`)])
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

const STARTS = /child_process|\bexeca\b|\bspawn|\bsubprocess\b/
const IMPORT_LINES = /^[ \t]*(?:import|export)\b.*$|\brequire\([^)\n]*\)/gm
const REGISTERS = /^[ \t]*(?:await )?(?:test|it|describe|suite)(?:\.\w+){0,3} ?\(|^[ \t]*(?:async )?def test/m
const ASSERTS =
  /\bexpect\(|\bassert|["'](?:node:test|vitest|@jest\/globals|mocha|ava|tape|uvu)["']|\b(?:unittest|pytest)\b/
// Product code that looks like a test would be taken back with the tests.
const OFFERS =
  /^(?:export\b|(?:module\.)?exports\b|(?<!fixture.{0,99}\n)def (?!test|_)|class (?!Test|\w+Tests?\b|\w+\([^)\n]{0,99}TestCase))/m
// An agent may have written the text: searching it stays quick for any.
const TEXT_MAX = 200_000
const COMMANDS_MAX = 50
const EXTENSIONS = 'ts mts cts tsx js mjs cjs jsx json py'.split(' ')
const STRING = /(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1/g
const IMPORTS =
  /(?:\bfrom|\bimport|\brequire(?:\.resolve)?|\bimport\.meta\.resolve|\bnew URL)\s{0,9}\(?\s{0,9}(["'`])(\.{1,2}\/[^"'`\n]*|\.{1,2})\1/g
const PYTHON_IMPORTS =
  /^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]{0,1000}\)|[^\n#]+)|import[ \t]+([\w., \t]+))/gm
const PLUGINS = /^pytest_plugins\s{0,9}=\s{0,9}(\[[^\]]{0,1000}\]|\([^)]{0,1000}\)|["'][^"'\n]*["'])/gm
const NAMING =
  /\b(?:setupFiles|setupFilesAfterEnv|globalSetup|globalTeardown|testEnvironment|environment|runner|testRunner|testSequencer|sequencer|reporters?|preset|transform|resolver|snapshotSerializers|require|import|file|extends|plugins|pool|customProviderModule|jsPlugins)["']?\s{0,9}[:=]\s{0,9}(\[[^\]]{0,1000}\]|\{[^}]{0,1000}\}|["'`][^"'`\n]*["'`])/g
const EXECUTES = /\b(?:exec|execSync|execAsync|system|run|\$)\s{0,9}\(?\s{0,9}(["'`])((?:(?!\1)[^\\\n]|\\.)+)\1/g
const SPAWNS =
  /\b(?:spawn|spawnSync|execFile|execFileSync|execa|execaSync|fork|run|call|check_call|check_output|Popen)\s{0,9}\(\s{0,9}\[?\s{0,9}(["'`])((?:(?!\1)[^\\\n]|\\.)+)\1\s{0,9},\s{0,9}\[?([^\])]{0,1000})/g
