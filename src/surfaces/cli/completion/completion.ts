import { Argument } from 'commander'
import { EXIT } from '../exit-codes.ts'
import { refuse } from '../refusal.ts'
import { textOption, type Verb, type VerbContext } from '../verb.ts'
import { SCRIPTS } from './scripts.ts'
import { FILES, type Things, thingsNamed } from './things.ts'
import { wantedNext } from './wanted-next.ts'

/** `longhaul completion`: prints the completion script of a shell. */
export const completionVerb: Verb = {
  about:
    'Prints a script that makes a shell complete verbs, options and their values: tasks, attempts, settings keys, event kinds. For bash, add eval "$(longhaul completion bash)" to ~/.bashrc; for zsh, add eval "$(longhaul completion zsh)" to ~/.zshrc; for fish, run longhaul completion fish > ~/.config/fish/completions/longhaul.fish.',
  examples: ['longhaul completion bash', 'longhaul completion fish | source'],
  shape: (command) =>
    void command
      .addArgument(new Argument('[shell]', 'the shell').choices(Object.keys(SCRIPTS)))
      .option('--next <words>', 'print completions for these words, joined by tabs; used by the scripts'),
  async run(context, typed) {
    const words = textOption(typed, 'next')
    if (words !== null) return printNext(context, words.split('\t'))
    const script = SCRIPTS[typed.args[0] ?? '']
    if (script === undefined) {
      refuse('wrong-use', 'No shell was named.', `Name one: longhaul completion ${Object.keys(SCRIPTS).join('|')}`)
    }
    context.output.line(script)
    return EXIT.done
  },
}

async function printNext(context: VerbContext, words: readonly string[]) {
  const things = await thingsNext(context, words)
  if (things === FILES) context.output.line('<files>')
  else for (const { word, about } of things) context.output.line(`${word}\t${about.replaceAll(/\s+/g, ' ')}`)
  return EXIT.done
}

async function thingsNext(context: VerbContext, words: readonly string[]): Promise<Things> {
  const word = words.at(-1) ?? ''
  const [, option, value] = /^(--[\w-]+=)(.*)$/s.exec(word) ?? []
  // An option and its value in one word complete like two words; the option is part of each completion.
  if (option !== undefined && value !== undefined) {
    const things = await thingsNext(context, [...words.slice(0, -1), option.slice(0, -1), value])
    return things === FILES ? things : things.map((offer) => ({ ...offer, word: `${option}${offer.word}` }))
  }
  const verb = words.find((one) => one !== 'help')
  const wanted = wantedNext(await context.program(verb ?? ''), words)
  return wanted.kind === 'words' ? wanted.offers : thingsNamed(context, wanted.placeholder, word)
}
