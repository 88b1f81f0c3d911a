import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { widthOf } from '../../src/surfaces/cli/render/columns.ts'
import { type Journey, openJourney, SETTINGS, waitUntil } from './journey.ts'
import { newJourney } from './new-journey.ts'
import { hasTmux, openTmux, type TmuxTerminal } from './tmux.ts'

const SCRIPT = `- { task: "ask*", steps: [ { report: blocked, reason: "Which of the two forms shall stay?" } ] }
- { task: "long*", steps: [ { say: "I look at the code first." }, { usage: { input: 9000, cacheRead: 90000, output: 900, window: 200000 } }, { run: "sleep 600" } ] }
- { task: "*", steps: [ { run: "echo $LONGHAUL_TASK > $LONGHAUL_TASK.txt" }, { report: done } ] }
`
const TASKS = [
  { id: 'ask-form', title: 'Rework the form' },
  { id: 'long-refactor', title: 'Move it all' },
  { id: 'wide', title: '期間を読む関数を書く、そして壊れた入力を断る 👍 ok' },
  { id: 'later', title: 'After the rest', after: ['long-refactor'] },
].map((task) => ({ weight: 'trivial', ...task }))

test('in a pipe, watch prints the status and then events line by line until the run has ended', async () => {
  const journey = newJourney(project([{ id: 'a', title: 'A', weight: 'trivial' }]))
  const go = join(journey.folder, 'go')
  journey.write(
    'script.yaml',
    `- { task: a, steps: [ { run: "until test -e '${go}'; do sleep 0.05; done; echo > a.txt" } ] }`,
  )
  journey.commit()
  await journey.cliInProcess('import', 'tasks.json')
  const run = journey.start(['run'])
  await run.printed('round 1 (implement) started')
  const watch = journey.start(['watch'])
  await watch.printed(/^Run \S+ is running; work lands on main\. 1 running\.$/m)
  writeFileSync(go, '')
  const { code, stdout } = await watch.ended
  expect(code).toBe(0)
  expect(stdout).toMatch(/a +landed as [0-9a-f]{10}; proof: gates: tests \(canary: none\)\n/)
  expect(stdout).toMatch(/run ended: every task is done\n$/)
  expect((await run.ended).code).toBe(0)
})

describe.skipIf(!hasTmux)('on a real terminal (needs tmux)', () => {
  test('a run can be viewed, inspected, steered, paused, watched from another terminal, and stopped in stages', async () => {
    const journey = newJourney(project(TASKS))
    const terminal = newTerminal(journey, 80, 24)
    terminal.type(`${terminal.longhaul('import tasks.json')} && ${terminal.longhaul('run')}; echo "code $?"`)
    await terminal.shows(/1 of 4 done/)
    await terminal.shows(/● long-refactor +implement · round 1 · Bash +\d+s +50%/)
    await terminal.shows(/! ask-form +Rework the form +asks: Which of the two forms/)
    await terminal.shows(/· later +After the rest +waiting for long-refactor/)
    await terminal.shows(/✓ wide +期間を読む関数を書く、そして壊れた入力を断る /)

    terminal.press('Down', 'Down', 'Enter')
    await terminal.shows('Attempt long-refactor-a1: running')
    terminal.press('t')
    await terminal.shows('> Bash sleep 600')
    terminal.press('s')
    terminal.press('leave the old form')
    await terminal.shows('Message to long-refactor: leave the old form')
    terminal.press('Enter')
    await terminal.shows('Message sent: the agent of long-refactor')
    terminal.press('Escape')
    await terminal.shows('1 of 4 done')

    const other = newTerminal(journey, 100, 30)
    other.type(other.longhaul('watch'))
    await other.shows(/● long-refactor +implement · round 1 · /)
    other.press('p')
    await other.shows(/paused +\d/)
    await terminal.shows(/paused +\d/)
    terminal.press('p')
    await other.shows(/running +\d/)
    other.press('q')
    await waitUntil('watch restores its terminal', () => other.isRestored())

    terminal.resize(40, 10)
    await terminal.shows(/^running +1\/4 done/m)
    expect(terminal.screen().filter((line) => widthOf(line) > 40)).toEqual([])
    terminal.resize(150, 30)
    await terminal.shows(/▰▰▱▱▱ +50%/)

    terminal.press('C-c')
    await terminal.shows('Finishing rounds. Ctrl-C again stops them and saves.')
    terminal.press('C-c')
    await terminal.shows('code 130')
    expect(terminal.isRestored()).toBe(true)
    const left = terminal.screen().join('\n')
    expect(left).toContain('Stopping rounds and saving their work')
    expect(left).toContain('To continue: longhaul run')
  })

  test('leaving the view does not stop the run, and watch can retry a task that needs a person', async () => {
    const journey = newJourney(project(TASKS.slice(0, 2)))
    const terminal = newTerminal(journey, 80, 24)
    terminal.type(`${terminal.longhaul('import tasks.json')} && ${terminal.longhaul('run')}; echo "code $?"`)
    await terminal.shows('! ask-form')
    terminal.press('q')
    await terminal.shows('The view is closed; the run continues.')
    expect(terminal.isRestored()).toBe(true)
    const other = newTerminal(journey, 80, 24)
    other.type(other.longhaul('watch'))
    await other.shows('! ask-form')
    other.press('Down', 'a')
    await other.shows('ask-form is open again.')
    await terminal.shows(/ask-form-a2 +started/)
    terminal.press('C-c')
    await terminal.shows('Finishing rounds. Ctrl-C again stops them and saves.')
    terminal.press('C-c')
    await terminal.shows('code 130')
  })

  test('watch shows the next run after one has ended', async () => {
    const journey = newJourney(project([{ id: 'a', title: 'A', weight: 'trivial' }]))
    await journey.cliInProcess('import', 'tasks.json')
    const terminal = newTerminal(journey, 80, 24)
    terminal.type(terminal.longhaul('watch'))
    await terminal.shows('No engine is running')
    await journey.cli('run')
    await terminal.shows(/ended +\d[\s\S]*✓ a /)
    await journey.cliInProcess('add', 'b', '--title', 'B')
    await terminal.shows(/open\n[\s\S]*○ b /)
    expect(terminal.screen().join('\n')).not.toContain('✓ a ')
  })

  describe('with 3,000 tasks and no engine', () => {
    let journey: Journey
    beforeAll(() => {
      journey = openJourney(
        project(Array.from({ length: 3_000 }, (_, n) => ({ id: `t${n}`, title: `Task ${n} 世界` }))),
      )
      return journey.cliInProcess('import', 'tasks.json')
    })
    afterAll(() => journey.end())

    test('the list scrolls from its first to its last task at any size', async () => {
      const terminal = newTerminal(journey, 80, 24)
      terminal.type(terminal.longhaul('watch'))
      await terminal.shows('0 of 3000 done')
      await terminal.shows('No engine is running')
      terminal.press('C-z')
      await waitUntil('the shell has its terminal back', () => terminal.isRestored())
      terminal.type('fg')
      await terminal.shows('0 of 3000 done')
      expect(terminal.isRestored()).toBe(false)
      terminal.press('End')
      await terminal.shows(/❯○ t2999 +Task 2999 世界/)
      terminal.press('PageUp', 'Up')
      await terminal.shows(/❯○ t2982 /)
      terminal.resize(200, 50)
      await terminal.shows(/❯○ t2982 /)
      expect(terminal.screen()).toHaveLength(50)
      terminal.press('Enter')
      await terminal.shows('t2982: Task 2982 世界')
      terminal.press('q', 'q')
      await waitUntil('the terminal is restored', () => terminal.isRestored())
    })

    test.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const)('%s restores the terminal', async (signal) => {
      const terminal = newTerminal(journey, 80, 24)
      const pidFile = join(journey.folder, `pid-${signal}`)
      // SIGUSR2 throws, like a bug.
      const throwing = `--import 'data:text/javascript,process.on("SIGUSR2", () => { throw new Error("a bug") })'`
      terminal.type(
        `sh -c 'echo $$ > "$0"; exec "$@"' '${pidFile}' ${terminal.longhaul('watch', throwing)}; echo "code $?"`,
      )
      await terminal.shows('0 of 3000 done')
      expect(terminal.isRestored()).toBe(false)
      process.kill(Number(readFileSync(pidFile, 'utf8')), signal)
      await terminal.shows(signal === 'SIGUSR2' ? /Error: a bug[\s\S]*code [1-9]/ : 'code 0')
      expect(terminal.isRestored()).toBe(true)
    })
  })
})

function project(tasks: readonly object[]): Readonly<Record<string, string>> {
  return { 'longhaul.yaml': SETTINGS, 'script.yaml': SCRIPT, 'tasks.json': JSON.stringify({ tasks }) }
}

function newTerminal(journey: Journey, columns: number, rows: number): TmuxTerminal {
  const terminal = openTmux(journey, columns, rows)
  onTestFinished(() => terminal.end())
  return terminal
}
