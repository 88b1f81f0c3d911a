import type { AttemptState } from '../../../core/attempt/state.ts'
import type { TaskId } from '../../../core/model/ids.ts'
import { unwrap } from '../../../core/model/problem.ts'
import { requiredCommits } from '../../../core/run/required-commits.ts'
import type { RunState } from '../../../core/run/state.ts'
import { counted } from '../../../core/views/line-parts.ts'
import type { Backup } from '../../../ports/backups.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { Store } from '../../../ports/store.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { landedBefore } from '../repository/landed-before.ts'
import { withLease } from '../repository/lease-here.ts'
import { currentRun, foldAttempt, foldRun, readRuns } from '../repository/runs.ts'
import type { VerbContext } from '../verb.ts'
import { refuseMissing } from './import-run.ts'

/** Restores a backup into the repository's empty state. */
export async function restore(context: VerbContext, repository: Repository, file: string): Promise<ExitCode> {
  const { world, output } = context
  const backup = unwrap(await (await repository.backups()).read(file))
  const landedSince = await landedSinceBackup(repository, backup)
  await withLease(world, repository, 'import', async () => unwrap(await backup.restore()))
  const { runs, events } = backup.counts
  output.json({ restored: file, runs, events, landedSince })
  output.line(`Restored ${counted(runs, 'run')} with ${counted(events, 'event')} from ${file}.`)
  if (landedSince.length > 0) output.remark(output.colors.yellow(sinceText(landedSince)))
  output.line('Next: longhaul status, longhaul run')
  return EXIT.done
}

function sinceText(tasks: readonly TaskId[]): string {
  const skips = tasks.map((task) => `longhaul skip ${task}`).join('; ')
  return `Work that landed after the backup was made is not done again if you leave it out: ${skips}`
}

/** Refuses a backup whose commits are missing; returns tasks of its open run that have landed since. */
async function landedSinceBackup(repository: Repository, { store }: Backup): Promise<readonly TaskId[]> {
  try {
    const current = currentRun(await readRuns(store))
    if (current === null) return []
    const run = await foldRun(store, current.run)
    await refuseMissing(repository, requiredCommits(run, await liveAttempts(store, run)), 'REPOSITORY')
    const landed = new Set((await landedBefore(repository)).map(({ task }) => task.id))
    return [...run.tasks].flatMap(([id, { standing }]) => (standing !== 'done' && landed.has(id) ? [id] : []))
  } finally {
    await store.close()
  }
}

async function liveAttempts(store: Store, run: RunState): Promise<readonly AttemptState[]> {
  const live: AttemptState[] = []
  for (const attempt of run.attempts.keys()) live.push(await foldAttempt(store, attempt))
  return live
}
