import { ProblemError, problem, unwrap } from '../../../core/model/problem.ts'
import type { Repository, State } from '../../../ports/repository.ts'
import type { World } from '../world.ts'

/** Does something with a repository's state while no engine and nobody else can change it. */
export async function withLease<T>(
  world: World,
  place: Repository,
  purpose: string,
  act: (state: State) => Promise<T>,
): Promise<T> {
  const state = unwrap(await place.openState())
  try {
    const lease = unwrap(await state.leases.acquire({ pid: world.pid, startedAt: world.clock.now(), purpose }))
    if (lease.kind === 'held') throw new ProblemError(busy(lease.by?.pid ?? 0, purpose))
    try {
      return await act(state)
    } finally {
      await lease.release()
    }
  } finally {
    await state.store.close()
  }
}

function busy(pid: number, purpose: string) {
  return problem({
    code: 'engine-running',
    message: `${pid === 0 ? 'Another process' : `Process ${pid}`} is at work in this repository, so ${purpose} must wait.`,
    hint: 'End it with "longhaul stop", which saves its work, then do the same again.',
    retry: 'later',
  })
}
