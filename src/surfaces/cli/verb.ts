import type { Command } from 'commander'
import { OVERRIDES } from '../../config/overrides.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import type { World } from './world.ts'

/** One verb of the command line. */
export interface Verb {
  /** What --help says first. */
  readonly about: string
  readonly examples: readonly string[]
  /** Gives the command its arguments and options. */
  shape(command: Command): void
  run(context: VerbContext, given: TypedArguments): Promise<ExitCode>
}

/** A verb that is several, such as `config show` and `config validate`. */
export interface VerbGroup {
  readonly about: string
  readonly examples: readonly string[]
  readonly parts: readonly VerbPart[]
}

export interface VerbPart {
  readonly name: string
  /** One line for the list of parts. */
  readonly summary: string
  readonly verb: Verb
}

/** What a verb works with. */
export interface VerbContext {
  readonly world: World
  readonly output: Output
  /** All verbs; this one, if there is such a verb, with its arguments and options. */
  program(verb: string): Promise<Command>
}

/** What was typed after the verb. */
export interface TypedArguments {
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
}

/** An option's text, or null. */
export function textOption({ options }: TypedArguments, name: string): string | null {
  const value = options[name]
  return typeof value === 'string' ? value : null
}

/** An argument that commander has made sure of. */
export function argument({ args }: TypedArguments, index: number): string {
  const value = args[index]
  if (value === undefined) throw new Error(`argument ${index} is missing`)
  return value
}

/** Adds the flags that override settings to a command; the schema validates their values. */
export function offerOverrides(command: Command): Command {
  return OVERRIDES.reduce(
    (shaped, { flag, placeholder, about }) => shaped.option(`${flag} <${placeholder}>`, about),
    command,
  )
}
