import type { PlacedFault } from '../../../core/reading/file-problems.ts'
import type { Path } from '../../../core/reading/schema-faults.ts'

/** Unchecked entries of a file, with their lines. */
export interface RawBacklog {
  readonly milestones: readonly unknown[]
  readonly tasks: readonly unknown[]
  /** Positions of tasks that are ticked off. */
  readonly done: ReadonlySet<number>
  /** Returns the line of a key or value in an entry, or of the nearest existing part around it. */
  lineOf(list: EntryList, index: number, path: Path, at: 'key' | 'value'): number
}

export type EntryList = 'milestones' | 'tasks'

/** Entries and faults that the reader of a format found. */
export interface Reading {
  readonly raw: RawBacklog
  readonly faults: readonly PlacedFault[]
}

/** Makes a reading that has only faults. */
export function unreadable(...faults: readonly PlacedFault[]): Reading {
  return { raw: { milestones: [], tasks: [], done: new Set(), lineOf: () => 1 }, faults }
}

/** Makes the fault of a file that is not a task file. */
export function notATaskFile(line: number | null, what: string): PlacedFault {
  return {
    code: 'not-a-task-file',
    line,
    message: `this is not a task file: ${what}.`,
    hint: SHAPE_HINT,
  }
}

const SHAPE_HINT =
  'Write "tasks:" and a list of tasks with "id" and "title" (YAML, JSON), one task per line (JSONL), or a checklist.'
