import type { Argument, Command, Option } from 'commander'

/** Word that may be typed next. */
export interface Offer {
  readonly word: string
  /** Description that a shell may show beside the word. */
  readonly about: string
}

/** Next word of a command line: one of these words, or a value of a placeholder (`<task>`, `<file>`). */
export type Wanted =
  | { readonly kind: 'words'; readonly offers: readonly Offer[] }
  | { readonly kind: 'thing'; readonly placeholder: string }

/** Returns what may come after these words; the last one is still being typed. */
export function wantedNext(program: Command, words: readonly string[]): Wanted {
  const typed = words[0] === 'help' ? words.slice(1) : words
  return wantedAt(program, typed.slice(0, -1), typed.at(-1) ?? '')
}

function wantedAt(command: Command, before: readonly string[], word: string): Wanted {
  const inside = command.commands.find((part) => part.name() === before[0])
  if (inside !== undefined) return wantedAt(inside, before.slice(1), word)
  const { open, operands, isOver } = readWords(command, before)
  if (open !== null && !(open.variadic && word.startsWith('-'))) return wantedFor(open)
  if (word.startsWith('-') && !isOver) return { kind: 'words', offers: optionsOf(command, before) }
  if (command.commands.length > 0) return { kind: 'words', offers: operands === 0 ? partsOf(command) : [] }
  const { registeredArguments: known } = command
  const argument = known[operands] ?? known.findLast(({ variadic }) => variadic)
  return argument === undefined ? NOTHING : wantedFor(argument)
}

const NOTHING: Wanted = { kind: 'words', offers: [] }

/** State after a command's words: the number of operands, and the last option if it still needs a value. */
interface Standing {
  readonly open: Option | null
  readonly operands: number
  /** True after "--", which ends the options. */
  readonly isOver: boolean
}

function readWords({ options }: Command, words: readonly string[]): Standing {
  let standing: Standing = { open: null, operands: 0, isOver: false }
  for (const word of words) standing = afterWord(standing, word, options)
  return standing
}

function afterWord(standing: Standing, word: string, options: readonly Option[]): Standing {
  const { open, operands, isOver } = standing
  if (isOver) return { ...standing, operands: operands + 1 }
  if (word === '--') return { open: null, operands, isOver: true }
  if (open !== null && !word.startsWith('-')) return { ...standing, open: open.variadic ? open : null }
  if (open !== null && !open.variadic) return { ...standing, open: null }
  if (!word.startsWith('-')) return { ...standing, operands: operands + 1 }
  const option = options.find(({ long, short }) => word === long || word === short)
  return { ...standing, open: option?.required === true ? option : null }
}

function wantedFor(value: Argument | Option): Wanted {
  if (value.argChoices !== undefined) return { kind: 'words', offers: value.argChoices.map((word) => offer(word)) }
  const placeholder = 'flags' in value ? (/<(.+?)>/.exec(value.flags)?.[1] ?? '') : value.name()
  return { kind: 'thing', placeholder: placeholder.replace('...', '') }
}

/** Lists the options that were not typed yet. */
function optionsOf(command: Command, before: readonly string[]): readonly Offer[] {
  const options = command.createHelp().visibleOptions(command)
  return options
    .filter(({ long }) => long !== undefined && !before.includes(long))
    .map(({ long = '', description }) => offer(long, description))
}

function partsOf(command: Command): readonly Offer[] {
  return command.commands.map((part) => offer(part.name(), part.summary()))
}

function offer(word: string, about = ''): Offer {
  return { word, about }
}
