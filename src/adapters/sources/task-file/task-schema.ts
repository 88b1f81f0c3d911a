import { z } from 'zod'
import type { MilestoneId, TaskId } from '../../../core/model/ids.ts'
import { type Milestone, type Task, WEIGHTS } from '../../../core/model/task.ts'

// The error texts say what a value must be. Which ids are usable is the backlog check's business.
// NUL would end a text for other programs.
const text = z.string({ error: 'text' }).refine((given) => !given.includes('\0'), { error: 'text without NUL' })
const filled = text.regex(/\S/, { error: 'text that is not empty' })
const id = z.union([z.string(), z.int().min(0)], { error: 'text' })
const list = <Item extends z.ZodType>(item: Item, of: string) => z.array(item, { error: `a list of ${of}` }).nullish()

const taskShape = {
  id,
  title: filled.nullish(),
  brief: text.nullish(),
  after: list(id, 'task ids'),
  weight: z.enum(WEIGHTS, { error: `one of ${WEIGHTS.join(', ')}` }).nullish(),
  type: filled.nullish(),
  milestone: id.nullish(),
  priority: z.int({ error: 'a whole number' }).nullish(),
  acceptance: list(filled, 'texts'),
  verify: list(filled, 'commands'),
  files: list(filled, 'file names'),
}
const milestoneShape = { id, title: filled.nullish(), brief: text.nullish(), after: list(id, 'milestone ids') }

/** One task as a file holds it. */
export const taskSchema = z
  .strictObject(taskShape, { error: 'a task: a map with "id" and "title"' })
  .refine(({ title, brief }) => typeof title === 'string' || /\S/.test(brief ?? ''), {
    path: ['title'],
    error: 'text that is not empty',
  })

/** One milestone as a file holds it. */
export const milestoneSchema = z.strictObject(milestoneShape, { error: 'a milestone: a map with "id" and "title"' })

export const TASK_KEYS = Object.keys(taskShape)
export const MILESTONE_KEYS = Object.keys(milestoneShape)

/** The task with everything that was left out. */
export function taskOf(given: z.infer<typeof taskSchema>): Task {
  return {
    id: String(given.id) as TaskId,
    title: oneLine(given.title ?? firstLine(given.brief ?? '')),
    brief: given.brief ?? '',
    after: idsOf<TaskId>(given.after),
    weight: given.weight ?? 'small',
    type: given.type ?? null,
    milestone:
      given.milestone === null || given.milestone === undefined ? null : (String(given.milestone) as MilestoneId),
    priority: given.priority ?? 0,
    acceptance: given.acceptance ?? [],
    verify: given.verify ?? [],
    files: given.files ?? [],
  }
}

/** The milestone with everything that was left out. */
export function milestoneOf(given: z.infer<typeof milestoneSchema>): Milestone {
  return {
    id: String(given.id) as MilestoneId,
    title: oneLine(given.title ?? String(given.id)),
    brief: given.brief ?? '',
    after: given.after ? idsOf<MilestoneId>(given.after) : null,
  }
}

function idsOf<Id extends string>(ids: readonly (string | number)[] | null | undefined): readonly Id[] {
  return (ids ?? []).map(String) as Id[]
}

const TITLE_LENGTH_MAX = 80

function firstLine(brief: string): string {
  const line = brief.trim().split('\n')[0] ?? ''
  return line.length <= TITLE_LENGTH_MAX ? line : `${line.slice(0, TITLE_LENGTH_MAX - 1)}…`
}

function oneLine(title: string): string {
  return title.replaceAll(/\s+/g, ' ').trim()
}
