import { describe, expect, test } from 'vitest'
import { heldLease, isEngineWithoutState, type LockSeen } from './lease.ts'

const ENGINE = { pid: 7, startedAt: 1, purpose: 'run' }
const VERB = { pid: 8, startedAt: 2, purpose: 'import' }
const FREE = { isHeld: false, by: null }

function locks(...seen: readonly Omit<LockSeen, 'isInState'>[]): readonly LockSeen[] {
  return seen.map((lock, index) => ({ ...lock, isInState: index === 0 }))
}

describe('a lease of several locks', () => {
  test.each([
    ['is free when every lock is free', locks(FREE, FREE, FREE), null],
    [
      'is held where the state is',
      locks({ isHeld: true, by: ENGINE }, FREE, FREE),
      { kind: 'held', by: ENGINE, state: 'here' },
    ],
    [
      'is held by any other lock: the state was moved',
      locks(FREE, FREE, { isHeld: true, by: ENGINE }),
      { kind: 'held', by: ENGINE, state: 'moved' },
    ],
    [
      'names the holder by whichever lock knows it',
      locks({ isHeld: true, by: null }, { isHeld: true, by: VERB }),
      { kind: 'held', by: VERB, state: 'here' },
    ],
    [
      'ignores the name beside a free lock, which a crash left',
      locks({ isHeld: false, by: ENGINE }, { isHeld: true, by: null }),
      { kind: 'held', by: null, state: 'moved' },
    ],
  ] as const)('%s', (_, seen, expected) => {
    expect(heldLease(seen)).toEqual(expected)
  })

  test.each([
    [{ kind: 'held', by: ENGINE, state: 'moved' }, true],
    [{ kind: 'held', by: ENGINE, state: 'here' }, false],
    [{ kind: 'held', by: VERB, state: 'moved' }, false],
    [{ kind: 'held', by: null, state: 'moved' }, false],
  ] as const)('%j: an engine without its state is %s', (held, expected) => {
    expect(isEngineWithoutState(held)).toBe(expected)
  })
})
