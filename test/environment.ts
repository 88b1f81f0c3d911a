import { homedir } from 'node:os'
import { delimiter, dirname } from 'node:path'

/** Folders in which tests find programs. */
export const TEST_PATH = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)

/** Environment of every program that a test or a benchmark starts, without settings of the machine or the user. */
export function testEnvironment(home: string): Readonly<Record<string, string>> & { readonly HOME: string } {
  return {
    PATH: TEST_PATH,
    HOME: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
  }
}

/** Replaces the environment of this process by that of tests; workers inherit it. */
export function enterTestEnvironment(own = process.env): void {
  const kept = Object.entries(own).filter(([name]) => KEPT.test(name))
  const env = { USER_HOME: homedir(), ...Object.fromEntries(kept), ...testEnvironment('/nonexistent') }
  for (const name of Object.keys(own)) delete own[name]
  Object.assign(own, env)
}

// Variables of the test runner, our own switches, and the user's real home, which the repository scan searches for.
const KEPT = /^(TEST|NODE_ENV|VITEST.*|TMPDIR|LONGHAUL_CRASHES|USER_HOME)$/
