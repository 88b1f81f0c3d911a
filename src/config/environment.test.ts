import { homedir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { readEnvironment, resolveEnv } from './environment.ts'
import { stateHome } from './places.ts'

describe('the environment of agents', () => {
  test('takes values of $NAME from ours, and all others as they are', () => {
    const env = { A: '$KEY', B: 'cost: $5', C: '$KEY/x', D: '$EMPTY', E: '$' }
    expect(resolveEnv(env, { KEY: 'secret', EMPTY: '' })).toEqual({ ...env, A: 'secret', D: '' })
  })

  test('wants every variable it names', () => {
    expect(resolveEnv({ A: '$KEY', B: '$OTHER', C: '$KEY', D: '$THERE' }, { THERE: 'x' })).toEqual({
      kind: 'problem',
      code: 'variable-missing',
      message: 'The settings want $KEY, $OTHER, and your environment has no such variable.',
      hint: 'Set it (export KEY=…) and start again, or take it out of longhaul.yaml.',
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

  test('must be a whole path', () => {
    expect(stateHome({ LONGHAUL_STATE_HOME: 'state' })).toEqual({
      kind: 'problem',
      code: 'state-home-relative',
      message: 'LONGHAUL_STATE_HOME is "state", which means another folder from every place.',
      hint: 'Give it the whole path, from "/" on.',
      retry: 'person',
    })
  })
})
