import { expect, test } from 'vitest'
import { buildEnvironment } from './environment.ts'

const ours = {
  PATH: '/bin',
  HOME: '/home/mia',
  LC_ALL: 'C.UTF-8',
  TERM: 'xterm-256color',
  API_KEY: 'secret',
  GIT_DIR: '/elsewhere',
  NODE_OPTIONS: '--inspect',
  LANG: undefined,
}

test('only variables that every program needs get through', () => {
  expect(buildEnvironment(ours, [], {})).toEqual({
    PATH: '/bin',
    HOME: '/home/mia',
    LC_ALL: 'C.UTF-8',
    TERM: 'dumb',
  })
})

test('named variables get through, if they are set', () => {
  expect(buildEnvironment({ API_KEY: 'secret' }, ['API_KEY', 'OTHER'], {})).toEqual({ API_KEY: 'secret', TERM: 'dumb' })
})

test('added variables win over ours', () => {
  expect(buildEnvironment(ours, [], { PATH: '/opt', TERM: 'xterm' })).toMatchObject({ PATH: '/opt', TERM: 'xterm' })
})

test('of git, only the places of its settings get through', () => {
  const places = { GIT_CONFIG_GLOBAL: '/a', GIT_CONFIG_SYSTEM: '/b', GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' }
  expect(buildEnvironment({ ...places, GIT_INDEX_FILE: '/c', GIT_CONFIG_COUNT: '1' }, [], {})).toEqual({
    ...places,
    TERM: 'dumb',
  })
})

test('variables that could turn git elsewhere get through only when added', () => {
  expect(buildEnvironment(ours, ['GIT_DIR'], {})).not.toHaveProperty('GIT_DIR')
  expect(buildEnvironment(ours, [], { GIT_DIR: '/here' })).toHaveProperty('GIT_DIR', '/here')
})
