import { z } from 'zod'
import type { MilestoneId, TaskId } from '../../../core/model/ids.ts'
import { type Milestone, type Task, WEIGHTS } from '../../../core/model/task.ts'
import { oneLineTitle, titleFault } from '../../../core/model/title.ts'
import { isMap } from './top-level.ts'

// The error texts say what a value must be. The check of the backlog decides which ids are valid.
// Other programs would take NUL for the end of a text.
const text = z.string({ error: 'text' }).refine((value) => !value.includes('\0'), { error: 'text without NUL' })
const nonEmpty = text.regex(/\S/, { error: 'text that is not empty' })
const title = text.superRefine((value, context) => {
  const fault = titleFault(value)
  if (fault !== null) context.addIssue({ code: 'custom', message: fault })
})
const id = z.union([z.string(), z.int().min(0)], { error: 'text' })
const list = <Item extends z.ZodType>(item: Item, of: string) => z.array(item, { error: `a list of ${of}` }).nullish()

const taskShape = {
  id,
  title: title.nullish(),
  brief: text.nullish(),
  after: list(id, 'task ids'),
  weight: z.enum(WEIGHTS, { error: `one of ${WEIGHTS.join(', ')}` }).nullish(),
  type: nonEmpty.nullish(),
  milestone: id.nullish(),
  priority: z.int({ error: 'a whole number' }).nullish(),
  acceptance: list(nonEmpty, 'texts'),
  verify: list(nonEmpty, 'commands'),
  files: list(nonEmpty, 'file names'),
  may_change: list(nonEmpty, 'globs'),
}
const milestoneShape = { id, title: title.nullish(), brief: text.nullish(), after: list(id, 'milestone ids') }

/** Task as written in a file. */
export const taskSchema = z.strictObject(taskShape, { error: 'a task: a map with "id" and "title"' }).refine(hasTitle, {
  path: ['title'],
  error: 'text that is not empty',
  // Also with other faults, so that all are reported together; an unknown key may be a misspelled title.
  when: ({ value, issues }) => isMap(value) && issues.every(({ code }) => code !== 'unrecognized_keys'),
})

/** Milestone as written in a file. */
export const milestoneSchema = z.strictObject(milestoneShape, { error: 'a milestone: a map with "id" and "title"' })

export const TASK_KEYS = Object.keys(taskShape)
export const MILESTONE_KEYS = Object.keys(milestoneShape)

/** Fills in the defaults of a task. */
export function taskOf(entry: z.infer<typeof taskSchema>): Task {
  return {
    id: String(entry.id) as TaskId,
    title: oneLineTitle(entry.title ?? firstLine(entry.brief ?? '')),
    brief: entry.brief ?? '',
    after: idsOf<TaskId>(entry.after),
    weight: entry.weight ?? 'small',
    type: entry.type ?? null,
    milestone:
      entry.milestone === null || entry.milestone === undefined ? null : (String(entry.milestone) as MilestoneId),
    priority: entry.priority ?? 0,
    acceptance: entry.acceptance ?? [],
    verify: entry.verify ?? [],
    files: entry.files ?? [],
    mayChange: entry.may_change ?? [],
  }
}

/** Fills in the defaults of a milestone. */
export function milestoneOf(entry: z.infer<typeof milestoneSchema>): Milestone {
  return {
    id: String(entry.id) as MilestoneId,
    title: oneLineTitle(entry.title ?? String(entry.id)),
    brief: entry.brief ?? '',
    after: entry.after ? idsOf<MilestoneId>(entry.after) : null,
  }
}

function idsOf<Id extends string>(ids: readonly (string | number)[] | null | undefined): readonly Id[] {
  return (ids ?? []).map(String) as Id[]
}

function hasTitle({ title, brief }: { readonly title?: unknown; readonly brief?: unknown }): boolean {
  // A title of a wrong kind is a fault of its own.
  return (title !== undefined && title !== null) || (typeof brief === 'string' && /\S/.test(brief))
}

const TITLE_LENGTH_MAX = 80

function firstLine(brief: string): string {
  const line = brief.trim().split('\n')[0] ?? ''
  return line.length <= TITLE_LENGTH_MAX ? line : `${line.slice(0, TITLE_LENGTH_MAX - 1)}…`
}
