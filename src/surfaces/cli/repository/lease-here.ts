import { engineWithoutState, isEngineWithoutState, type LeaseHeld } from '../../../core/model/lease.ts'
import { ProblemError, problem, unwrap } from '../../../core/model/problem.ts'
import type { Repository, State } from '../../../ports/repository.ts'
import type { World } from '../world.ts'

/** Acts on a repository's state under the lease, so that no other process changes it meanwhile. */
export async function withLease<T>(
  world: World,
  repository: Repository,
  purpose: string,
  act: (state: State) => Promise<T>,
): Promise<T> {
  const state = unwrap(await repository.openState())
  try {
    const lease = unwrap(await state.leases.acquire({ pid: world.pid, startedAt: world.clock.now(), purpose }))
    if (lease.kind === 'held') throw new ProblemError(busy(lease, repository, purpose))
    try {
      return await act(state)
    } finally {
      await lease.release()
    }
  } finally {
    await state.store.close()
  }
}

function busy(held: LeaseHeld, { stateFolder }: Repository, purpose: string) {
  if (isEngineWithoutState(held)) return engineWithoutState(held, stateFolder)
  const pid = held.by?.pid ?? 0
  return problem({
    code: 'engine-running',
    message: `${pid === 0 ? 'Another process' : `Process ${pid}`} is working in this repository, so "longhaul ${purpose}" cannot start.`,
    hint: 'Stop it with "longhaul stop", which saves its work, then try again.',
    retry: 'later',
  })
}
