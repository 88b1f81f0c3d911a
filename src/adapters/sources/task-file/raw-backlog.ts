import type { PlacedFault } from '../../../core/reading/file-problems.ts'
import type { Path } from '../../../core/reading/schema-faults.ts'

/** What a file holds before anything in it is believed, with where it stands. */
export interface RawBacklog {
  readonly milestones: readonly unknown[]
  readonly tasks: readonly unknown[]
  /** The positions of tasks that are ticked off: nothing to do, and nothing to wait for. */
  readonly done: ReadonlySet<number>
  /** The line of a key or a value in an entry, or of the nearest thing around it that is really there. */
  lineOf(list: EntryList, index: number, path: Path, at: 'key' | 'value'): number
}

export type EntryList = 'milestones' | 'tasks'

/** What one form's reader found: entries, and places where it found something else. */
export interface Reading {
  readonly raw: RawBacklog
  readonly faults: readonly PlacedFault[]
}

/** A reading of nothing but faults. */
export function unreadable(...faults: readonly PlacedFault[]): Reading {
  return { raw: { milestones: [], tasks: [], done: new Set(), lineOf: () => 1 }, faults }
}

/** What is wrong with a file that holds something else. */
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
