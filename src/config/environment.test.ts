import { homedir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { readEnvironment, resolveEnv } from './environment.ts'
import { stateHome } from './places.ts'

describe('the environment of agents', () => {
  test('reads values of $NAME from ours, and keeps all others', () => {
    const env = { A: '$KEY', B: 'cost: $5', C: '$KEY/x', D: '$EMPTY', E: '$' }
    expect(resolveEnv(env, { KEY: 'secret', EMPTY: '' })).toEqual({ ...env, A: 'secret', D: '' })
  })

  test('requires every variable it names', () => {
    expect(resolveEnv({ A: '$KEY', B: '$OTHER', C: '$KEY', D: '$THERE' }, { THERE: 'x' })).toEqual({
      kind: 'problem',
      code: 'variable-missing',
      message: 'The settings use $KEY, $OTHER, missing from your environment.',
      hint: 'Set it (export KEY=…) and start again, or remove it from longhaul.yaml.',
      retry: 'person',
    })
  })

  test('is read as a copy', () => {
    const environment = readEnvironment()
    expect(environment.PATH).toBe(process.env.PATH)
    expect(environment).not.toBe(process.env)
  })
})

describe('the state folder', () => {
  test.each([
    [{ HOME: '/home/u' }, '/home/u/.local/state/longhaul'],
    [{ HOME: '/home/u', XDG_STATE_HOME: '/var/u' }, '/var/u/longhaul'],
    [{ HOME: '/home/u', XDG_STATE_HOME: 'relative' }, '/home/u/.local/state/longhaul'],
    [{ HOME: '/home/u', XDG_STATE_HOME: '', LONGHAUL_STATE_HOME: '' }, '/home/u/.local/state/longhaul'],
    [{ HOME: '/home/u', XDG_STATE_HOME: '/var/u', LONGHAUL_STATE_HOME: '/data/lh' }, '/data/lh'],
    [{ TMPDIR: '/tmp' }, `${homedir()}/.local/state/longhaul`],
  ])('for %j is %s', (environment, folder) => {
    expect(stateHome(environment)).toBe(folder)
  })

  test('must be an absolute path', () => {
    expect(stateHome({ LONGHAUL_STATE_HOME: 'state' })).toEqual({
      kind: 'problem',
      code: 'state-home-relative',
      message: 'LONGHAUL_STATE_HOME is "state", a relative path.',
      hint: 'Set it to an absolute path, so that it names the same folder everywhere.',
      retry: 'person',
    })
  })
})
