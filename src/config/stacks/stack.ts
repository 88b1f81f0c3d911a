export const STACK_NAMES = ['node', 'python', 'go', 'rust'] as const
export type StackName = (typeof STACK_NAMES)[number]

/** What a part of a repository is made with, and what follows from it for its settings. */
export interface Stack {
  readonly name: StackName
  /** Its folder, from the root; empty: the root. */
  readonly folder: string
  readonly setup: readonly string[]
  readonly gates: readonly SuggestedGate[]
}

export interface SuggestedGate {
  readonly name: string
  readonly run: string
  /** Globs of files that the checked must not change. */
  readonly protect: readonly string[]
}

/** One folder of a project: the files in it, and those below by their way from it. */
export interface Folder {
  readonly files: readonly string[]
  /** A file's text; null: there is none. */
  text(file: string): string | null
}

/** What is needed to make a fresh clone ready and to check it. */
export type Needs = Pick<Stack, 'setup' | 'gates'>

/** How one stack is known, and what it needs. */
export interface StackKind {
  readonly name: StackName
  /** Files of which one says that a folder is made with it. */
  readonly marks: readonly string[]
  needs(folder: Folder): Needs
  /** A project as it usually is, for somebody who has none yet. */
  readonly usual: Folder
}
