import { describe, expect, test } from 'vitest'
import { type Journey, newJourney, SETTINGS, taskFile } from './new-journey.ts'

/** Each task replaces the second line of one file; `x` has a file of its own. */
const SAME_FILE = [
  ...['w1', 'w2'].map(
    (task) =>
      `- { task: ${task}, steps: [ { write: { path: f.txt, text: "1\\n${task}\\n3\\n" } }, { report: done } ] }`,
  ),
  '- { task: "*", steps: [ { run: "echo $(basename $(pwd)) > x.txt" }, { report: done } ] }',
  '',
].join('\n')

test('undoes a landed task with a commit that is checked too; the task is reverted, not failed', async () => {
  const journey = newJourney()
  journey.write('tasks.json', taskFile('a', 'b'))
  await journey.cliInProcess('import', 'tasks.json')
  journey.commit('tasks')
  expect((await journey.cli('run')).code).toBe(0)
  const reverted = await journey.cli('revert', 'a')
  expect(reverted).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/a +reverted by [0-9a-f]{10}; proof: gates: tests/),
  })
  expect([journey.read('a.txt'), journey.read('b.txt')]).toEqual([null, 'b\n'])
  expect(await journey.cliInProcess('revert', 'a')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/a is already reverted by [0-9a-f]{10}\.\n.*longhaul retry a/),
  })
  expect(await journey.cliInProcess('verify', 'a')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/a was reverted by [0-9a-f]{10}, so there is nothing to verify/),
  })
  expect(await journey.status()).toMatchObject({
    run: { state: 'ended' },
    tasks: [{ state: 'reverted' }, { state: 'done' }],
  })
  expect(await journey.cliInProcess('run')).toMatchObject({ code: 0 })
  await journey.cliInProcess('retry', 'a')
  expect(await journey.cli('run')).toMatchObject({ code: 0 })
  expect(journey.read('a.txt')).toBe('a\n')
})

test('with a landed task after it, names it, then reverts both, newest first', async () => {
  const journey = newJourney()
  journey.write('tasks.json', taskFile('a', 'b:a', 'c'))
  await journey.cliInProcess('import', 'tasks.json')
  journey.commit('tasks')
  await journey.cli('run')
  expect(await journey.cliInProcess('revert', 'a')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('a was not reverted: a landed task rests on it: b (after a).'),
  })
  expect(await journey.cli('revert', 'a', '--with-dependents', '--json')).toMatchObject({
    code: 0,
    stdout: '{"reverted":"a","isReverted":true,"dependents":["b"]}\n',
  })
  expect([journey.read('a.txt'), journey.read('b.txt'), journey.read('c.txt')]).toEqual([null, null, 'c\n'])
  expect(journey.git('log', '-2', '--format=%s').split('\n')).toEqual(['Revert "a: Task a"', 'Revert "b: Task b"'])
})

test('while other tasks are open, the revert is pending, and tasks after it are blocked', async () => {
  const journey = newJourney()
  await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
  await journey.cliInProcess('add', 'wait', '--title', 'W', '--weight', 'trivial', '--priority', '-1')
  journey.write('script.yaml', WAITS)
  expect((await journey.cli('run')).code).toBe(3)
  await journey.cliInProcess('add', 'b', '--title', 'B', '--after', 'a', '--weight', 'trivial')
  expect(await journey.cliInProcess('revert', 'a')).toMatchObject({
    code: 0,
    stdout: 'a will be reverted. Next: longhaul run\n',
    stderr: expect.stringContaining('Blocked until a is retried or skipped: b'),
  })
  expect((await journey.status()).tasks).toMatchObject([
    { id: 'a', state: 'done', revert: 'pending', reason: 'revert pending; happens with the next "longhaul run"' },
    { id: 'wait', state: 'needs-person' },
    { id: 'b', state: 'ready' },
  ])
})

const WAITS = `- { task: wait, steps: [ { report: blocked, reason: "which?" } ] }
- { task: "*", steps: [ { run: "echo x > x.txt" }, { report: done } ] }
`

describe('a task of an earlier run', () => {
  test('can be reverted and verified; a conflict is explained where the user looks', async () => {
    const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': SAME_FILE, 'f.txt': '1\n2\n3\n' })
    for (const task of ['w1', 'w2', 'x']) await landAlone(journey, task)
    expect(await journey.cliInProcess('verify', 'w1')).toMatchObject({ code: 0 })
    expect(await journey.cliInProcess('retry', 'w1')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/w1 belongs to run .*\n.*longhaul revert w1, then longhaul retry w1/),
    })
    expect(await journey.cliInProcess('revert', 'w1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a landed task rests on it: w2 (changed f.txt after w1).'),
    })
    const landed = journey.git('log', '--format=%h', '--abbrev=10', '--first-parent', '--grep=^w1: ')
    const why = `was not reverted: w2 changed f.txt after it. Revert w2 first, or do it by hand: git revert -m 1 ${landed}`
    const refused = await journey.cli('revert', 'w1', '--alone')
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining(why) })
    expect(refused.stdout).not.toContain('revert:w1')
    expect((await journey.cliInProcess('status')).stdout).toContain(why)
    expect((await journey.cliInProcess('show', 'w1')).stdout).toContain(why)
    expect(await journey.cli('revert', 'w1', '--with-dependents')).toMatchObject({ code: 0 })
    expect(journey.read('f.txt')).toBe('1\n2\n3\n')
    expect((await journey.cliInProcess('show', 'w1')).stdout).toMatch(
      /Landed\n {2}[0-9a-f]{40} of w1-a1.*\n.*\n {2}reverted by /,
    )
  })
})

async function landAlone(journey: Journey, task: string): Promise<void> {
  await journey.cliInProcess('add', task, '--title', task, '--weight', 'trivial')
  const { code, stderr } = await journey.cli('run')
  if (code !== 0) throw new Error(stderr)
}
