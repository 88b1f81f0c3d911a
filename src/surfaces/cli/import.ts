import { readFile } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { type Problem, problem } from '../../core/model/problem.ts'
import type { Backlog } from '../../core/model/task.ts'
import { putTasks } from './put-tasks.ts'
import { Refusal } from './refusal.ts'
import type { Verb } from './verb.ts'
import type { World } from './world.ts'

/** `longhaul import`: brings tasks in from files. */
export const importVerb: Verb = {
  about:
    'Puts the tasks of files into the open run, and opens one if there is none. YAML, JSON, JSON lines or a Markdown checklist. Importing again changes only what has changed and has not started.',
  examples: ['longhaul import tasks.yaml', 'longhaul import backlog.jsonl more.md --json'],
  shape: (command) => void command.argument('<file...>', 'task files').option('--json', 'print what was added as JSON'),
  async run(context, { args }) {
    const backlog = await readBacklogs(context.world, args)
    return putTasks(context, 'import', backlog)
  },
}

async function readBacklogs(world: World, files: readonly string[]): Promise<Backlog> {
  const taskFile = await (await world.adapters()).taskFile()
  const problems: Problem[] = []
  const backlogs: Backlog[] = []
  for (const file of files) {
    const text = await textOf(resolve(world.folder, file), file)
    const read = typeof text === 'string' ? taskFile.read(file, text) : [text]
    if (Array.isArray(read)) problems.push(...read)
    else backlogs.push(read as Backlog)
  }
  problems.push(...twice(backlogs))
  if (problems.length > 0) throw new Refusal(problems)
  return {
    milestones: backlogs.flatMap(({ milestones }) => milestones),
    tasks: backlogs.flatMap(({ tasks }) => tasks),
  }
}

async function textOf(path: string, file: string): Promise<string | Problem> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const why = REASONS[code ?? ''] ?? String(cause)
    const hint = isAbsolute(file) ? 'Check the path.' : `It was looked for at ${path}.`
    return problem({ code: 'file-unreadable', message: `${file} cannot be read: ${why}.`, hint, retry: 'person' })
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
}

/** Within a file the source has looked; between files nobody else does. */
function twice(backlogs: readonly Backlog[]): readonly Problem[] {
  const seen = new Set<string>()
  const ids = backlogs.flatMap(({ tasks, milestones }) => [
    ...tasks.map(({ id }) => `task ${id}`),
    ...milestones.map(({ id }) => `milestone ${id}`),
  ])
  const repeated = ids.filter((id) => seen.size === seen.add(id).size)
  return [...new Set(repeated)].map((id) =>
    problem({
      code: 'task-duplicate',
      message: `${id} is in more than one of the files.`,
      hint: 'Leave it in one of them.',
      retry: 'person',
    }),
  )
}
