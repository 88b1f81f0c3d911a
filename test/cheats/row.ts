import type { ProjectName } from './projects.ts'

/** Texts by path; null deletes the file. */
export type Changes = Readonly<Record<string, string | null>>

/** Project and agent of a row; the agent does the same in every round. */
export interface Row {
  readonly name: string
  readonly project: ProjectName
  /** Files that the project has besides its own, or instead of them. */
  readonly files?: Readonly<Record<string, string>>
  /** Command of the gate, where it is not the project's own. */
  readonly run?: string
  /** Setting of the gate's canary, where it is not the usual one. */
  readonly canary?: 'always'
  /** Files that the agent writes. */
  readonly writes?: Changes
  /** Shell commands of the agent after that. */
  readonly commands?: readonly string[]
}

/** Work that breaks the product, and a check so that it stays green. */
export interface Cheat extends Row {
  /** Kind of author: an attack that once worked, a model under pressure, a hostile one. */
  readonly by: 'seen' | 'lazy' | 'hostile'
  /** Source of a finding that stops it, or null for a cheat that no check can notice. */
  readonly stoppedBy: string | null
  /** Work of an earlier task, which may land. */
  readonly earlier?: Changes
  /** Broken text of the product's file, where it is not the project's own. */
  readonly broken?: string
}

/** Work that a person wants. */
export interface HonestTask extends Row {
  /** Guarded files that the task may change. */
  readonly mayChange?: readonly string[]
  /** Number of questions that a person has to answer. */
  readonly questions: number
}

/** Cheat without what all cheats of a list share. */
export type CheatEntry = Omit<Cheat, 'by' | 'project' | 'stoppedBy'> & Partial<Pick<Cheat, 'stoppedBy'>>

/** Completes cheats of one author in one project; without a source of their own, the first one counts. */
export function cheatsIn(
  by: Cheat['by'],
  project: ProjectName,
  stoppedBy: string,
  cheats: readonly CheatEntry[],
): readonly Cheat[] {
  return cheats.map((cheat) => ({ by, project, stoppedBy, ...cheat }))
}
