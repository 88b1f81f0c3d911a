import type { MilestoneId, TaskId } from '../src/core/model/ids.ts'
import type { Backlog, Milestone, Task } from '../src/core/model/task.ts'

/** Dependencies of tasks: none, a hundred crossing strands, or milestone after milestone. */
export type Shape = 'wide' | 'strands' | 'milestones'

const STRANDS = 100
const MILESTONES = 10

/** Builds a backlog of this many tasks, with as much text as a person writes. */
export function makeBacklog(count: number, shape: Shape): Backlog {
  const milestones = shape === 'milestones' ? Array.from({ length: MILESTONES }, (_, index) => milestoneOf(index)) : []
  const tasks = Array.from({ length: count }, (_, index) => taskOf(index, count, shape))
  return { milestones, tasks }
}

/** Formats the tasks as JSON lines. */
export function jsonLinesOf({ tasks }: Backlog): string {
  return tasks.map((task) => `${JSON.stringify(withoutNulls(task))}\n`).join('')
}

/** Formats the tasks as YAML, in blocks as a person writes it. */
export function yamlOf({ tasks }: Backlog): string {
  return `tasks:\n${tasks.map(yamlTask).join('')}`
}

function taskOf(index: number, count: number, shape: Shape): Task {
  return {
    id: idOf(index),
    title: `Let part ${index} of the product do its work`,
    brief: briefOf(index),
    after: shape === 'strands' ? [index - STRANDS, index - STRANDS - 1].filter((one) => one >= 0).map(idOf) : [],
    weight: 'trivial',
    type: 'feature',
    milestone: shape === 'milestones' ? milestoneId(Math.floor((index * MILESTONES) / count)) : null,
    priority: index % 3,
    acceptance: [`The report shows part ${index}.`, 'All tests pass, and there is a new one for it.'],
    verify: [],
    mayChange: [],
    files: [`src/parts/part-${index}.ts`],
  }
}

function briefOf(index: number): string {
  return [
    `Part ${index} takes what part ${index % 97} gives and brings it into the form that the report needs.`,
    'Keep to the style of its neighbours; nothing else changes, and the old behaviour stays behind its flag.',
    'Whoever reads the report should not notice that anything was moved, only that the new part is there.',
  ].join('\n')
}

function idOf(index: number): TaskId {
  return `part-${String(index).padStart(5, '0')}` as TaskId
}

function milestoneId(index: number): MilestoneId {
  return `milestone-${index}` as MilestoneId
}

function milestoneOf(index: number): Milestone {
  return { id: milestoneId(index), title: `Milestone ${index}`, brief: '', after: null }
}

function withoutNulls({ mayChange, ...task }: Task): object {
  const fields = { ...task, may_change: mayChange }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

function yamlTask(task: Task): string {
  const list = (items: readonly string[]) => items.map((item) => `      - ${JSON.stringify(item)}\n`).join('')
  const brief = task.brief.split('\n').map((line) => `      ${line}\n`)
  return [
    `  - id: ${task.id}\n    title: ${task.title}\n    brief: |\n${brief.join('')}`,
    `    after: [${task.after.join(', ')}]\n    weight: ${task.weight}\n    type: ${task.type}\n`,
    `    priority: ${task.priority}\n    acceptance:\n${list(task.acceptance)}    files:\n${list(task.files)}`,
  ].join('')
}
