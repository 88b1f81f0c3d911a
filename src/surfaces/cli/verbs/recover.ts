import type { RecoveredTask } from '../../../core/model/landed-work.ts'
import { unwrap } from '../../../core/model/problem.ts'
import { counted } from '../../../core/views/line-parts.ts'
import type { Repository } from '../../../ports/repository.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { adoptableSettings } from '../repository/approved-settings.ts'
import { askRun } from '../repository/ask-run.ts'
import { landedBefore } from '../repository/landed-before.ts'
import { findRepository, openRepositoryFor } from '../repository/open-repository.ts'
import { foldRun, readRuns } from '../repository/runs.ts'
import type { Verb, VerbContext } from '../verb.ts'

/** `longhaul recover`: rebuilds from git what a lost state knew. */
export const recoverVerb: Verb = {
  about:
    'Rebuilds what git knows after the state was lost: tasks whose work is on the landing line are recorded as done, without the proof that only the state had. Lists branches and salvaged work that have not landed. Afterwards, importing the same task file adds only what is missing.',
  examples: ['longhaul recover --dry-run', 'longhaul recover'],
  shape: (command) =>
    void command
      .option('--dry-run', 'list what would be recovered, and record nothing')
      .option('--json', 'print it as JSON'),
  async run(context, { options }) {
    const repository = await findRepository(context)
    const left = { branches: await branchesOf(repository), salvage: await salvageOf(repository) }
    const tasks = await unknownTasks(repository, await landedBefore(repository))
    const isDryRun = options.dryRun === true
    if (!isDryRun && tasks.length > 0) await record(context, repository, tasks)
    return report(context, { tasks, ...left, isDryRun })
  },
}

interface Recovery {
  readonly tasks: readonly RecoveredTask[]
  readonly branches: readonly string[]
  readonly salvage: readonly string[]
  readonly isDryRun: boolean
}

/** Returns those of the tasks that no run has. */
async function unknownTasks(
  repository: Repository,
  landed: readonly RecoveredTask[],
): Promise<readonly RecoveredTask[]> {
  if (!repository.hasState()) return landed
  const { store } = unwrap(await repository.openState())
  try {
    const known = new Set<string>()
    for (const { run } of await readRuns(store))
      for (const id of (await foldRun(store, run)).tasks.keys()) known.add(id)
    return landed.filter(({ task }) => !known.has(task.id))
  } finally {
    await store.close()
  }
}

async function record({ world }: VerbContext, repository: Repository, tasks: readonly RecoveredTask[]): Promise<void> {
  const opening = await adoptableSettings(world, repository)
  const open = await openRepositoryFor(world, repository, 'neither')
  try {
    await askRun(open, { purpose: 'recover', request: { kind: 'recover-tasks', tasks }, opening })
  } finally {
    await open.close()
  }
}

async function branchesOf(repository: Repository): Promise<readonly string[]> {
  return unwrap(await repository.attemptBranches())
}

async function salvageOf(repository: Repository): Promise<readonly string[]> {
  return unwrap(await repository.salvage()).refs.map(({ ref }) => ref)
}

function report({ output }: VerbContext, { tasks, branches, salvage, isDryRun }: Recovery): ExitCode {
  const recovered = tasks.map(({ task, attempt, commit }) => ({ task: task.id, title: task.title, attempt, commit }))
  output.json({ recovered, branches, salvage, isDryRun })
  const verb = isDryRun ? 'would be recorded as done' : 'recorded as done'
  output.line(
    tasks.length === 0
      ? 'Nothing to recover: every task that landed is known.'
      : `${counted(tasks.length, 'task')} ${verb}, recovered from git without proof:`,
  )
  for (const { task, title, commit } of recovered) output.line(`  ${task}  ${commit.slice(0, 10)}  ${title}`)
  if (branches.length > 0)
    output.line('Work that has not landed. To look at it: git log -p BRANCH; to continue it: import its task again.')
  for (const branch of branches) output.line(`  ${branch}`)
  if (salvage.length > 0) output.line('Salvaged work. To look at it: git log -p REF')
  for (const ref of salvage) output.line(`  ${ref}`)
  if (!isDryRun && tasks.length > 0)
    output.line('Next: longhaul import FILE adds what is missing, longhaul run continues.')
  return EXIT.done
}
