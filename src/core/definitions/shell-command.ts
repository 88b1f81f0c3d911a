/** Simple command of a shell text. Words keep expansions as they are written, like $DIR/lib.sh. */
export interface SimpleCommand {
  readonly kind: 'command'
  readonly words: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  /** Text that the command reads from a here-document, or null. */
  readonly input: string | null
}

/** Commands whose change of folder ends with them: a subshell, a side of a pipe, a function, a substitution. */
export interface CommandGroup {
  readonly kind: 'group'
  readonly commands: readonly ShellCommand[]
}

export type ShellCommand = SimpleCommand | CommandGroup

/** Parses a shell text into the commands that it may run, in order. Text that is no shell gives what can be read of it. */
export type ParseShell = (text: string) => readonly ShellCommand[]
