import type { Command } from 'commander'
import { OVERRIDES } from '../../config/overrides.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import type { World } from './world.ts'

/** Verb of the command line. */
export interface Verb {
  /** First paragraph of --help. */
  readonly about: string
  readonly examples: readonly string[]
  /** Adds arguments and options to the command. */
  shape(command: Command): void
  run(context: VerbContext, typed: TypedArguments): Promise<ExitCode>
}

/** Verb with parts, such as `config show` and `config validate`. */
export interface VerbGroup {
  readonly about: string
  readonly examples: readonly string[]
  readonly parts: readonly VerbPart[]
}

export interface VerbPart {
  readonly name: string
  /** Line in the list of parts. */
  readonly summary: string
  readonly verb: Verb
}

/** Everything a verb works with. */
export interface VerbContext {
  readonly world: World
  readonly output: Output
  /** Returns all verbs; only the named one has its arguments and options. */
  program(verb: string): Promise<Command>
}

/** Arguments and options as typed after the verb. */
export interface TypedArguments {
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
}

/** Returns an option's text, or null. */
export function textOption({ options }: TypedArguments, name: string): string | null {
  const value = options[name]
  return typeof value === 'string' ? value : null
}

/** Returns a required argument; commander has checked that it is present. */
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
