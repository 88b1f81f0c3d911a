import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { type Problem, problem } from '../core/model/problem.ts'
import type { Environment } from './environment.ts'

/** The user's folder for workspaces and the like; where LONGHAUL_STATE_HOME is set, it is that folder itself. */
export function stateHome(env: Environment): string | Problem {
  const own = env.LONGHAUL_STATE_HOME
  if (own !== undefined && own !== '') return isAbsolute(own) ? own : notAbsolute(own)
  const xdg = env.XDG_STATE_HOME ?? ''
  // The XDG rules say to pass over relative paths.
  const folder = isAbsolute(xdg) ? xdg : join(userHome(env), '.local', 'state')
  return join(folder, 'longhaul')
}

/** The user's folder for settings that hold everywhere. */
export function configHome(env: Environment): string {
  const xdg = env.XDG_CONFIG_HOME ?? ''
  return join(isAbsolute(xdg) ? xdg : join(userHome(env), '.config'), 'longhaul')
}

function userHome(env: Environment): string {
  const home = env.HOME ?? ''
  return isAbsolute(home) ? home : homedir()
}

function notAbsolute(folder: string): Problem {
  return problem({
    code: 'state-home-relative',
    message: `LONGHAUL_STATE_HOME is "${folder}", which means another folder from every place.`,
    hint: 'Give it the whole path, from "/" on.',
    retry: 'person',
  })
}
