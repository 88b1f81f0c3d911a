import type { RunId } from '../../../core/model/ids.ts'
import type { Repository, State } from '../../../ports/repository.ts'
import type { RecordedEvent } from '../../../ports/store.ts'
import { renderHead } from '../render/render-status.ts'
import { nextChange } from '../repository/announcing-store.ts'
import { readStatus } from '../repository/runs.ts'
import type { VerbContext } from '../verb.ts'
import { FollowedRun } from './follow-run.ts'
import { plainRunOutput } from './run-output.ts'

/** Prints the status of a run, then its events line by line, until it has ended or stdout is closed. */
export async function followLines(
  context: VerbContext,
  repository: Repository,
  state: State,
  id: RunId,
): Promise<void> {
  const { world, output } = context
  let news: RecordedEvent[] = []
  const followed = new FollowedRun(state.store, id, (event) => void news.push(event))
  const runOutput = plainRunOutput(context)
  await followed.catchUp()
  news = []
  const status = await readStatus(repository, state, followed.run, world.clock)
  output.json(status)
  for (const line of renderHead(status, followed.run, output)) output.line(line)
  // Waiting for another process does not keep Node's event loop alive.
  const alive = setInterval(() => {}, KEEP_ALIVE_MS)
  while (followed.run.endedAt === null && !output.isClosed()) {
    const woken = nextChange(state.store)
    await followed.catchUp()
    for (const event of news.sort((a, b) => a.position - b.position)) runOutput.announce(event)
    news = []
    if (followed.run.endedAt === null) await woken
  }
  clearInterval(alive)
}

const KEEP_ALIVE_MS = 1_000_000
