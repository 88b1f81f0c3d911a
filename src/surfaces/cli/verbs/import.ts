import { statSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { type Problem, ProblemError, problem, unwrap } from '../../../core/model/problem.ts'
import type { Backlog } from '../../../core/model/task.ts'
import { unreadableReason } from '../../../core/reading/file-problems.ts'
import type { KnownIds } from '../../../core/schedule/check-backlog.ts'
import { findRepository } from '../repository/open-repository.ts'
import { foldRun, openRun, readRuns } from '../repository/runs.ts'
import type { Verb, VerbContext } from '../verb.ts'
import type { World } from '../world.ts'
import { importRun } from './import-run.ts'
import { putTasks } from './put-tasks.ts'
import { restore } from './restore.ts'

/** `longhaul import`: imports tasks from files, or an exported run. */
export const importVerb: Verb = {
  about:
    'Adds the tasks in files to the open run, or opens a run if there is none. Reads YAML, JSON, JSON lines and Markdown checklists. Importing a file again updates only tasks that changed and have not started. With a folder written by "longhaul export", imports the whole run, which continues here. With a file written by "longhaul backup", restores the whole state, where there is none.',
  examples: [
    'longhaul import tasks.yaml',
    'longhaul import backlog.jsonl more.md --json',
    'longhaul import ../my-run',
    'longhaul import ../state.db',
  ],
  shape: (command) =>
    void command
      .argument('<file...>', 'task files, the folder of an exported run, or a backup')
      .option('--json', 'print the outcome as JSON'),
  async run(context, { args }) {
    const [first = ''] = args
    const path = resolve(context.world.folder, first)
    if (args.length === 1 && isFolder(path)) return importRun(context, await findRepository(context), path)
    if (args.length === 1 && (await isDatabase(path))) return restore(context, await findRepository(context), path)
    const backlog = await readBacklogs(context.world, args, await idsInRun(context))
    return putTasks(context, 'import', backlog)
  },
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

const DATABASE_START = 'SQLite format 3\0'

async function isDatabase(path: string): Promise<boolean> {
  const handle = await open(path).catch(() => null) // reported when it is read as a task file
  if (handle === null) return false
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(DATABASE_START.length), 0, DATABASE_START.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === DATABASE_START
  } finally {
    await handle.close()
  }
}

/** Returns the ids of the open run, which tasks in files may depend on. */
async function idsInRun(context: VerbContext): Promise<KnownIds> {
  const repository = await findRepository(context)
  if (!repository.hasState()) return { tasks: new Set(), milestones: new Set() }
  const { store } = unwrap(await repository.openState())
  try {
    const run = openRun(await readRuns(store))
    const state = run === null ? null : await foldRun(store, run.run)
    return { tasks: new Set(state?.tasks.keys()), milestones: new Set(state?.milestones.keys()) }
  } finally {
    await store.close()
  }
}

async function readBacklogs(world: World, files: readonly string[], inRun: KnownIds): Promise<Backlog> {
  const taskFile = await (await world.adapters()).taskFile()
  const problems: Problem[] = []
  const backlogs: Backlog[] = []
  const known = { tasks: new Set(inRun.tasks), milestones: new Set(inRun.milestones) }
  for (const file of files) {
    const text = await textOf(resolve(world.folder, file), file)
    const read = typeof text === 'string' ? taskFile.read(file, text, known) : [text]
    if (Array.isArray(read)) problems.push(...read)
    else {
      const backlog = read as Backlog
      backlogs.push(backlog)
      for (const { id } of backlog.tasks) known.tasks.add(id)
      for (const { id } of backlog.milestones) known.milestones.add(id)
    }
  }
  problems.push(...duplicates(backlogs))
  if (problems.length > 0) throw new ProblemError(...problems)
  return {
    milestones: backlogs.flatMap(({ milestones }) => milestones),
    tasks: backlogs.flatMap(({ tasks }) => tasks),
  }
}

async function textOf(path: string, file: string): Promise<string | Problem> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const why = unreadableReason(cause)
    const hint = isAbsolute(file) ? 'Check the path.' : `The full path is ${path}.`
    return problem({ code: 'file-unreadable', message: `${file} cannot be read: ${why}.`, hint, retry: 'person' })
  }
}

/** Finds ids used in more than one file; the source checks only within a file. */
function duplicates(backlogs: readonly Backlog[]): readonly Problem[] {
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
      hint: 'Keep it in one of them.',
      retry: 'person',
    }),
  )
}
