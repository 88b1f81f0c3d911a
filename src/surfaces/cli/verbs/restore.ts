import type { AttemptState } from '../../../core/attempt/state.ts'
import { unwrap } from '../../../core/model/problem.ts'
import { requiredCommits } from '../../../core/run/required-commits.ts'
import type { RunState } from '../../../core/run/state.ts'
import { counted } from '../../../core/views/line-parts.ts'
import type { Backup } from '../../../ports/backups.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { Store } from '../../../ports/store.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { withLease } from '../repository/lease-here.ts'
import { currentRun, foldAttempt, foldRun, readRuns } from '../repository/runs.ts'
import type { VerbContext } from '../verb.ts'
import { refuseMissing } from './import-run.ts'

/** Restores a backup into the repository's empty state. */
export async function restore(context: VerbContext, repository: Repository, file: string): Promise<ExitCode> {
  const { world, output } = context
  const backup = unwrap(await (await repository.backups()).read(file))
  const isLineAhead = await checkCommits(repository, backup)
  await withLease(world, repository, 'import', async () => unwrap(await backup.restore()))
  const { runs, events } = backup.counts
  output.json({ restored: file, runs, events, isLineAhead })
  output.line(`Restored ${counted(runs, 'run')} with ${counted(events, 'event')} from ${file}.`)
  if (isLineAhead) output.remark(output.colors.yellow(AHEAD))
  output.line('Next: longhaul status, longhaul run')
  return EXIT.done
}

const AHEAD =
  'Work has landed since the backup, and the restored run does not know it. Compare "longhaul status" with "git log", and skip what is done: longhaul skip TASK.'

/** Refuses a backup whose commits are missing; true when the landing line is ahead of the backup. */
async function checkCommits(repository: Repository, { store }: Backup): Promise<boolean> {
  try {
    const current = currentRun(await readRuns(store))
    if (current === null) return false
    const run = await foldRun(store, current.run)
    await refuseMissing(repository, requiredCommits(run, await liveAttempts(store, run)), 'REPOSITORY')
    if (run.line === null) return false
    const line = unwrap(await repository.changes.commitAt(`refs/longhaul/landed/${run.target}`))
    return line !== null && line !== run.line.line
  } finally {
    await store.close()
  }
}

async function liveAttempts(store: Store, run: RunState): Promise<readonly AttemptState[]> {
  const live: AttemptState[] = []
  for (const attempt of run.attempts.keys()) live.push(await foldAttempt(store, attempt))
  return live
}
