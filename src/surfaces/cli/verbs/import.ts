import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
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

/** `longhaul import`: brings tasks in from files. */
export const importVerb: Verb = {
  about:
    'Puts the tasks of files into the open run, and opens one if there is none. YAML, JSON, JSON lines or a Markdown checklist. Importing again changes only what has changed and has not started. A folder that "longhaul export" wrote: the whole run, which goes on here.',
  examples: ['longhaul import tasks.yaml', 'longhaul import backlog.jsonl more.md --json', 'longhaul import ../my-run'],
  shape: (command) =>
    void command
      .argument('<file...>', 'task files, or the folder of an exported run')
      .option('--json', 'print what was added as JSON'),
  async run(context, { args }) {
    const [first = ''] = args
    const folder = resolve(context.world.folder, first)
    if (args.length === 1 && isFolder(folder)) return importRun(context, await findRepository(context), folder)
    const backlog = await readBacklogs(context.world, args, await idsInRun(context))
    return putTasks(context, 'import', backlog)
  },
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** What tasks of a file may come after besides each other: what the open run has. */
async function idsInRun(context: VerbContext): Promise<KnownIds> {
  const place = await findRepository(context)
  if (!place.hasState()) return { tasks: new Set(), milestones: new Set() }
  const { store } = unwrap(await place.openState())
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
  problems.push(...twice(backlogs))
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
    const hint = isAbsolute(file) ? 'Check the path.' : `It was looked for at ${path}.`
    return problem({ code: 'file-unreadable', message: `${file} cannot be read: ${why}.`, hint, retry: 'person' })
  }
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
