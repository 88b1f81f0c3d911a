import { describe, expect, test } from 'vitest'
import { AT, givenRun, givenSettings, givenTask, openedRun, requested, started } from '../../../test/given/given-run.ts'
import { accepted } from '../model/input.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { Settings } from '../model/settings.ts'
import { changedKeys } from './adopt-settings.ts'
import { runEffectsDue } from './effects-due.ts'
import { evolveRun } from './evolve.ts'
import type { RunState } from './state.ts'

const GATE = {
  name: 'tests',
  run: 'npm test',
  onFail: 'block' as const,
  timeoutMs: 1000,
  protect: [],
  coverage: null,
  canary: { when: 'never' as const, plant: null },
}
const BEFORE = givenSettings()

describe('the names of changed keys are those of longhaul.yaml', () => {
  test.each<[string, Partial<Settings>, readonly string[]]>([
    ['nothing', {}, []],
    ['a value of a group', { budget: { ...BEFORE.budget, taskUsd: 9 } }, ['budget.task_usd']],
    ['a time', { time: { ...BEFORE.time, responseMs: 1 } }, ['time.response']],
    ['the longest delay', { limits: { ...BEFORE.limits, errorDelayMsMax: 1 } }, ['limits.error_delay_max']],
    ['a list', { gates: [GATE] }, ['gates']],
    ['a word', { uiTests: true, target: 'next' }, ['target', 'ui_tests']],
    ['a name of the user', { prompts: { myPrompt: 'text' } }, ['prompts.myPrompt']],
    ['files that settings come from', { sources: ['longhaul.yaml', 'more.md'] }, []],
  ])('%s', (_, changes, keys) => {
    expect([...changedKeys(BEFORE, givenSettings(changes))].sort()).toEqual(keys)
  })
})

describe('settings that changed within a run', () => {
  const state = () => givenRun(...openedRun([givenTask('t1'), givenTask('t2')]), started('t1'))
  const adopt = (run: RunState, values: Settings, digest = 'd2') =>
    requested(run, { kind: 'adopt-settings', values, digest })
  const apply = (run: RunState, changes: Partial<Settings>, changed: readonly string[]) => {
    const event: RunEvent = {
      kind: 'settings-adopted',
      values: givenSettings(changes),
      digest: 'd2',
      changed,
      fixed: [],
    }
    evolveRun(run, event, AT)
    return runEffectsDue(run, AT)
  }

  test('are adopted once, with the keys that changed', () => {
    const values = givenSettings({ gates: [GATE] })
    expect(adopt(state(), values)).toEqual(
      accepted([{ kind: 'settings-adopted', values, digest: 'd2', changed: ['gates'], fixed: [] }]),
    )
    expect(adopt(state(), givenSettings(), 'd1')).toEqual(accepted([]))
  })

  test('name the branch as fixed', () => {
    const values = givenSettings({ target: 'next' })
    expect(adopt(state(), values)).toEqual(
      accepted([{ kind: 'settings-adopted', values, digest: 'd2', changed: ['target'], fixed: ['target'] }]),
    )
  })

  test('are rejected once for the same reason, and adopted again when the file is as it was', () => {
    const run = state()
    const rejected: RunEvent = { kind: 'settings-rejected', reason: 'longhaul.yaml:3: no such key' }
    const request = { kind: 'reject-settings', reason: rejected.reason } as const
    expect(requested(run, request)).toEqual(accepted([rejected]))
    evolveRun(run, rejected, AT)
    expect(requested(run, request)).toEqual(accepted([]))
    expect(adopt(run, givenSettings(), 'd1')).toMatchObject({ events: [{ kind: 'settings-adopted', changed: [] }] })
  })

  test('reach live attempts by a message', () => {
    const messages = apply(state(), { time: { ...BEFORE.time, silenceMs: 7 } }, ['time.silence']).filter(
      ({ kind }) => kind === 'tell-attempt',
    )
    expect(messages).toMatchObject([
      { attempt: 't1-a1', message: { kind: 'settings', rules: { bounds: { silenceMs: 7 }, gates: [] } } },
    ])
  })

  test('make the baseline be checked again when checks changed, and only then', () => {
    const idsOf = (changes: Partial<Settings>, changed: readonly string[]) =>
      apply(state(), changes, changed).map(({ id }) => id)
    expect(idsOf({ gates: [GATE] }, ['gates'])).toContain('baseline:2')
    expect(idsOf({ limits: { ...BEFORE.limits, parallel: 1 } }, ['limits.parallel'])).not.toContain('baseline:2')
  })
})
