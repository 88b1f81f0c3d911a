import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { type Problem, problem } from '../core/model/problem.ts'
import type { Environment } from './environment.ts'

/** Returns the user's folder for state such as workspaces: LONGHAUL_STATE_HOME itself, if set. */
export function stateHome(env: Environment): string | Problem {
  const own = env.LONGHAUL_STATE_HOME
  if (own !== undefined && own !== '') return isAbsolute(own) ? own : notAbsolute(own)
  const xdg = env.XDG_STATE_HOME ?? ''
  // The XDG specification says to ignore relative paths.
  const folder = isAbsolute(xdg) ? xdg : join(userHome(env), '.local', 'state')
  return join(folder, 'longhaul')
}

/** Returns the user's folder for settings of all projects. */
export function configHome(env: Environment): string {
  const xdg = env.XDG_CONFIG_HOME ?? ''
  return join(isAbsolute(xdg) ? xdg : join(userHome(env), '.config'), 'longhaul')
}

/** Returns the user's home folder. */
export function userHome(env: Environment): string {
  const home = env.HOME ?? ''
  return isAbsolute(home) ? home : homedir()
}

function notAbsolute(folder: string): Problem {
  return problem({
    code: 'state-home-relative',
    message: `LONGHAUL_STATE_HOME is "${folder}", a relative path.`,
    hint: 'Set it to an absolute path, so that it names the same folder everywhere.',
    retry: 'person',
  })
}
