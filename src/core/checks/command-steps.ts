/** Program that a shell command runs, and its folder in the repository; '' is the root. */
export interface CommandStep {
  readonly folder: string
  readonly program: string
  readonly words: readonly string[]
}

/** Returns the programs of a shell command, as far as it consists of plain commands. */
export function commandSteps(command: string, folder = ''): readonly CommandStep[] {
  const steps: CommandStep[] = []
  let here = folder
  for (const part of command.split(OPERATORS)) {
    const [program, ...words] = wordsOf(part)
    if (program === undefined) continue
    if (program === 'cd') here = joined(here, words[0] ?? '')
    else steps.push({ folder: here, program, words })
  }
  return steps
}

/** Joins a folder and a path, without ".", ".." and doubled slashes. */
export function joined(folder: string, path: string): string {
  const parts: string[] = []
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** Returns the words of one command, without wrappers and variable assignments. */
function wordsOf(part: string): readonly string[] {
  const words = [...part.matchAll(WORD)].map(([, double, single, plain]) => double ?? single ?? plain ?? '')
  let start = 0
  while (WRAPPERS.has(words[start] ?? '') || ASSIGNMENT.test(words[start] ?? '')) start += 1
  return words.slice(start)
}

const OPERATORS = /&&|\|\||[;|&\n()]/
const WORD = /"([^"]*)"|'([^']*)'|(\S+)/g
const ASSIGNMENT = /^\w+=/
const WRAPPERS = new Set(['env', 'exec', 'time', 'npx', 'bunx', 'cross-env'])
