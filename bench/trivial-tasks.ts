import type { TaskId } from '../src/core/model/ids.ts'
import type { Task } from '../src/core/model/task.ts'

/** Task whose agent writes one file. */
export interface TrivialTask {
  readonly id: string
  readonly path: string
  readonly text: string
  /** Time its agent takes. */
  readonly ms: number
}

/** Builds this many independent tasks. */
export function trivialTasks(count: number, msOf: (index: number) => number = () => 0): readonly TrivialTask[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `t${String(index).padStart(3, '0')}`
    return { id, path: `${id}.txt`, text: `This is ${id}.\n`, ms: msOf(index) }
  })
}

/** Check of every commit. */
export const GATE = 'test -s first.txt'
export const PARALLEL = 3

// Without budgets: attempts that wait to land hold their share, and the next ones would have to wait for it.
const SETTINGS = `agent: { driver: scripted, script: script.yaml }
limits: { parallel: ${PARALLEL} }
budget: { task_usd: null, run_usd: null, day_usd: null }
gates: [ { name: first, run: ${GATE} } ]
`

/** Builds the files of a project for them: settings, and the agent's script. */
export function trivialFiles(tasks: readonly TrivialTask[]): Readonly<Record<string, string>> {
  const rules = tasks.map(({ id, path, text, ms }) => ({
    task: id,
    steps: [{ write: { path, text } }, { wait: ms / 1_000 }, { report: 'done' }],
  }))
  return {
    'first.txt': 'first\n',
    'script.yaml': JSON.stringify(rules),
    'longhaul.yaml': SETTINGS,
  }
}

/** Converts them to the text of a task file. */
export function asTaskFile(tasks: readonly TrivialTask[]): string {
  return JSON.stringify({ tasks: asTasks(tasks).map(({ id, title, weight }) => ({ id, title, weight })) })
}

/** Converts them to tasks of a run. */
export function asTasks(tasks: readonly TrivialTask[]): readonly Task[] {
  return tasks.map(({ id, path }) => ({
    id: id as TaskId,
    title: `Write ${path}`,
    brief: '',
    after: [],
    weight: 'trivial',
    type: null,
    milestone: null,
    priority: 0,
    acceptance: [],
    verify: [],
    mayChange: [],
    files: [],
  }))
}
