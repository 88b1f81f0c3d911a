import type { Command } from 'commander'

/** What can be typed after one verb, or after one part of a verb. */
export interface Offer {
  /** The verb, or the verb and its part. */
  readonly words: readonly string[]
  readonly summary: string
  readonly options: readonly { readonly name: string; readonly summary: string }[]
  /** What may follow besides options. */
  readonly next: 'parts' | 'tasks' | 'files' | 'nothing' | readonly string[]
}

/** Everything that the command line offers, from the commands themselves. */
export function offersOf(program: Command, before: readonly string[] = []): readonly Offer[] {
  return program.commands.flatMap((command) => {
    const words = [...before, command.name()]
    return [offerOf(command, words), ...offersOf(command, words)]
  })
}

function offerOf(command: Command, words: readonly string[]): Offer {
  const own = command.options.map((option) => ({ name: option.long ?? option.flags, summary: option.description }))
  const help = { name: '--help', summary: 'display help for command' }
  return { words, summary: command.summary(), options: [...own, help], next: whatFollows(command) }
}

function whatFollows(command: Command): Offer['next'] {
  if (command.commands.length > 0) return 'parts'
  const [argument] = command.registeredArguments
  if (argument === undefined) return 'nothing'
  if (argument.argChoices !== undefined) return argument.argChoices
  return argument.name() === 'task' ? 'tasks' : 'files'
}

/** The names that may come next after these words. */
export function partsOf(offers: readonly Offer[], words: readonly string[]): readonly Offer[] {
  return offers.filter(
    (offer) => offer.words.length === words.length + 1 && words.every((word, index) => offer.words[index] === word),
  )
}

/** How a shell learns the ids of tasks. */
export const TASKS_COMMAND = 'longhaul completion --tasks 2>/dev/null'
