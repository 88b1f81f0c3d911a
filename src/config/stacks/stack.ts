export const STACK_NAMES = ['node', 'python', 'go', 'rust'] as const
export type StackName = (typeof STACK_NAMES)[number]

/** Stack of a part of a repository, with the settings that follow from it. */
export interface Stack {
  readonly name: StackName
  /** Folder relative to the root; empty for the root itself. */
  readonly folder: string
  readonly setup: readonly string[]
  readonly gates: readonly SuggestedGate[]
}

export interface SuggestedGate {
  readonly name: string
  readonly run: string
  /** Globs of files that an attempt must not change. */
  readonly protect: readonly string[]
}

/** A folder of a project, with all files below it by relative path. */
export interface Folder {
  readonly files: readonly string[]
  /** Returns a file's text, or null when there is none. */
  text(file: string): string | null
}

/** Commands to prepare a fresh clone and to check it. */
export type Needs = Pick<Stack, 'setup' | 'gates'>

/** A kind of stack: how to detect it, and what it needs. */
export interface StackKind {
  readonly name: StackName
  /** Files that identify the stack; one is enough. */
  readonly marks: readonly string[]
  needs(folder: Folder): Needs
  /** Typical project, for users who have none yet. */
  readonly usual: Folder
}
