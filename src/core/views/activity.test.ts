import { expect, test } from 'vitest'
import type { AttemptState } from '../attempt/state.ts'
import type { Activity, ShownActivity } from '../model/activity.ts'
import type { AttemptId } from '../model/ids.ts'
import { activityWord, currentActivity } from './activity.ts'

test.each([
  [{ kind: 'idle' }, 'idle'],
  [{ kind: 'waiting' }, 'waiting'],
  [{ kind: 'streaming' }, 'streaming'],
  [{ kind: 'tool', name: 'Bash' }, 'tool:Bash'],
  [{ kind: 'processing' }, 'processing'],
  [{ kind: 'retrying', attempt: 2, until: 0 }, 'retrying until 1970-01-01T00:00:00.000Z'],
  [{ kind: 'retrying', attempt: 2, until: null }, 'retrying'],
] as const satisfies readonly (readonly [Activity, string])[])('%j reads "%s"', (activity, word) => {
  expect(activityWord(activity)).toBe(word)
})

const shown: ShownActivity = {
  attempt: 't1-a1' as AttemptId,
  round: 2,
  activity: { kind: 'streaming' },
  since: 0,
  heardAt: 0,
  signs: 1,
  at: 1_000,
}
const inRound = { doing: { kind: 'round', round: 2 } } as unknown as Pick<AttemptState, 'doing'>
const now = { isDriven: true, at: 2_000 }

test.each([
  ['what is shown', inRound, shown, now, { kind: 'streaming' }],
  ['nothing is known when nothing is shown', inRound, undefined, now, null],
  ['what was shown of another round says nothing', inRound, { ...shown, round: 1 }, now, null],
  ['what has missed its heartbeats says nothing', inRound, shown, { ...now, at: 100_000 }, null],
  ['with no engine it is idle', inRound, shown, { ...now, isDriven: false }, { kind: 'idle' }],
  ['between rounds it is idle', { doing: { kind: 'unopened' as const } }, shown, now, { kind: 'idle' }],
])('a session: %s', (_what, attempt, given, at, activity) => {
  expect(currentActivity(attempt, given, at)).toEqual(activity)
})
