/** One program that a shell command runs, and in which folder of the repository; '' is its root. */
export interface CommandStep {
  readonly folder: string
  readonly program: string
  readonly words: readonly string[]
}

/** The programs that a shell command names, as far as plain commands go; what is more intricate is left out. */
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

/** A path from a folder, without ".", ".." and doubled slashes. */
export function joined(folder: string, path: string): string {
  const parts: string[] = []
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** The words of one command, without what only sets its surroundings. */
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
