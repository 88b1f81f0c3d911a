import { describe, expect, test } from 'vitest'
import type { CommandResult, RunCommand } from '../process/start/run-command.ts'
import { gitAt } from './git.ts'
import { isRepeatable } from './repeatable.ts'

test.each([
  ['rev-parse HEAD', true],
  ['for-each-ref refs/heads', true],
  ['merge-tree --write-tree a b', true],
  ['config --get-all core.bare', true],
  ['config core.bare true', false],
  ['symbolic-ref --quiet HEAD', true],
  ['symbolic-ref HEAD refs/heads/main', false],
  ['worktree list', true],
  ['worktree prune', false],
  ['update-ref --stdin', false],
  ['read-tree -m HEAD', false],
  ['', false],
])('git %s can run again: %s', (line, expected) => {
  expect(isRepeatable(line.split(' '))).toBe(expected)
})

describe('a git that is killed', () => {
  const killed: Partial<CommandResult> = { exitCode: null, signal: 'SIGKILL' }
  const answered: Partial<CommandResult> = { exitCode: 0, signal: null }
  const playing = (results: readonly Partial<CommandResult>[]) => {
    const left = [...results]
    const rest = { stdout: Buffer.from('yes\n'), stderr: '', timedOut: false, overflowed: false, durationMs: 0 }
    const runner: RunCommand = async () => ({ kind: 'ended', ...rest, ...left.shift() }) as CommandResult
    return { git: gitAt({ folder: '/' }, {}, runner), left }
  }

  test.each([
    ['runs again when it only reads', 'log', [killed, killed, answered], 'yes\n', 0],
    ['is a problem when it is killed each time', 'log', [killed, killed, killed, answered], 'later', 1],
    ['is a problem at once when it writes', 'update-ref', [killed, answered], 'later', 1],
    ['is a problem at once at its time limit', 'log', [{ ...killed, timedOut: true }, answered], 'later', 1],
  ])('%s', async (_, command, results, expected, unused) => {
    const { git, left } = playing(results)
    const outcome = await git.run([command])
    expect(typeof outcome === 'string' ? outcome : outcome.retry).toBe(expected)
    expect(left).toHaveLength(unused)
  })
})
