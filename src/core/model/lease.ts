import { type Problem, problem } from './problem.ts'

/** Process that holds a repository's lease. */
export interface LeaseHolder {
  readonly pid: number
  readonly startedAt: number
  readonly purpose: string
}

/** Purpose in the lease of an engine; every other verb holds it only briefly. */
export const RUN_PURPOSE = 'run'

/** Lock of a lease, which has several; they are listed in the order in which they are taken. */
export interface LockSeen {
  /** True for the lock inside the state folder. */
  readonly isInState: boolean
  readonly isHeld: boolean
  readonly by: LeaseHolder | null
}

/** Another process holds the lease. */
export interface LeaseHeld {
  readonly kind: 'held'
  readonly by: LeaseHolder | null
  /** `moved`: the holder's state is no longer in its place, because its lock there is free. */
  readonly state: 'here' | 'moved'
}

/** Decides whether a lease is held: any of its locks is enough. */
export function heldLease(locks: readonly LockSeen[]): LeaseHeld | null {
  const held = locks.filter(({ isHeld }) => isHeld)
  if (held.length === 0) return null
  const by = held.find((lock) => lock.by !== null)?.by ?? null
  return { kind: 'held', by, state: held.some(({ isInState }) => isInState) ? 'here' : 'moved' }
}

/** True when the holder works with a state that is no longer here, so that no request can reach it. */
export function isEngineWithoutState({ by, state }: LeaseHeld): boolean {
  return state === 'moved' && by?.purpose === RUN_PURPOSE
}

/** Refuses to work beside an engine whose state was taken away. */
export function engineWithoutState({ by }: Pick<LeaseHeld, 'by'>, stateFolder: string): Problem {
  const holder = by === null || by.pid === 0 ? 'Another process' : `Process ${by.pid}`
  return problem({
    code: 'engine-running',
    message: `${holder} is still the engine of this repository, but its state was moved away from ${stateFolder}, deleted or replaced. Nothing was changed.`,
    hint: 'It stops by itself within seconds and saves a copy of its state. Then move the state back and run "longhaul run", or see "longhaul doctor".',
    retry: 'later',
  })
}
