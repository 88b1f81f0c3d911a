import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { landedTasks } from './backlogs.ts'
import { leftovers } from './leftovers.ts'
import { type CommandResult, type Journey, jsonLines, newJourney, SETTINGS, taskFile, WRITES } from './new-journey.ts'
import { type Fact, onEvent } from './run-with-kills.ts'

describe('a target that is checked out', () => {
  test('and clean follows every landing, while the user commits to it', async () => {
    const slowly = WRITES.replace('{ report: done }', '{ wait: 0.3 }, { report: done }')
    const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': slowly })
    await importTasks(journey, 'a', 'b:a', 'c:b', 'd:c')
    const engine = journey.start(['run', '--json'])
    let commits = 0
    onEvent(engine, ({ kind }) => {
      if (kind !== 'landed' && kind !== 'workspace-made') return
      commits += 1
      journey.write(`mine-${commits}.txt`, `mine ${commits}\n`)
      userGit(journey, 'add', '--all')
      userGit(journey, 'commit', '--quiet', '-m', `my commit ${commits}`)
    })
    expect(await engine.ended).toMatchObject({ code: 0 })
    expect(commits).toBe(8)
    expect(await behind(journey)).toBe(false)
    expect(landedTasks(journey).toSorted()).toEqual(['a', 'b', 'c', 'd'])
    const messages = journey.git('log', '--format=%s').split('\n')
    for (let number = 1; number <= commits; number += 1) {
      expect(journey.read(`mine-${number}.txt`)).toBe(`mine ${number}\n`)
      expect(messages.filter((message) => message === `my commit ${number}`)).toHaveLength(1)
    }
    expect(journey.git('status', '--porcelain')).toBe('')
    expect(leftovers(journey)).toEqual([])
  })

  test('and dirty, or with untracked files in the way, stays as it is and follows when it can', async () => {
    const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': WRITES, 'one.txt': '1\n', 'two.txt': '2\n' })
    await importTasks(journey, 'a')
    const bytes = { 'one.txt': 'staged\n', 'two.txt': 'not staged\r\nno end', 'a.txt': 'untracked, mine\n' }
    for (const [path, text] of Object.entries(bytes)) journey.write(path, text)
    journey.git('add', 'one.txt')
    const untouched = () => [bytesOf(journey, bytes), journey.git('ls-files', '-s'), journey.git('rev-parse', 'main')]
    const before = untouched()

    const dirty = await journey.cli('run')
    expect(dirty).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('with uncommitted changes (one.txt, two.txt)'),
    })
    expect(await behind(journey)).toBe(true)
    expect(untouched()).toEqual(before)

    journey.git('stash', '--quiet')
    const inTheWay = await journey.cli('run')
    expect(inTheWay).toMatchObject({ code: 0, stdout: expect.stringContaining('untracked files in the way (a.txt)') })
    expect(await behind(journey)).toBe(true)
    expect(journey.read('a.txt')).toBe(bytes['a.txt'])

    renameSync(join(journey.repository, 'a.txt'), join(journey.folder, 'a.txt'))
    const command = /To update it: (git .+)/.exec(inTheWay.stdout)?.[1] ?? ''
    expect(command).toMatch(/ merge --ff-only [0-9a-f]{40}$/)
    journey.git('merge', '--quiet', '--ff-only', command.slice(-40))
    expect(await behind(journey)).toBe(false)
    expect(await journey.cli('run')).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing to do') })
    journey.git('stash', 'pop', '--quiet', '--index')
    expect([journey.read('one.txt'), journey.read('two.txt'), journey.read('a.txt')]).toEqual([
      bytes['one.txt'],
      bytes['two.txt'],
      'a\n',
    ])
    expect(landedTasks(journey)).toEqual(['a'])
  })
})

test("a target that is checked out elsewhere, or nowhere, follows without touching the user's checkout", async () => {
  const journey = newJourney({
    'longhaul.yaml': `target: main\nlanding: { mode: squash }\n${SETTINGS}`,
    'script.yaml': WRITES,
    'one.txt': '1\n',
  })
  const mine = () => [journey.git('rev-parse', 'HEAD'), journey.git('status', '--porcelain'), journey.read('one.txt')]
  journey.git('checkout', '--quiet', '-b', 'other')
  journey.write('one.txt', 'edited on another branch\n')
  const onOther = mine()
  await addAndRun(journey, 'a')
  expect(await behind(journey)).toBe(false)
  expect(mine()).toEqual(onOther)

  journey.git('checkout', '--quiet', '--detach')
  await addAndRun(journey, 'b')
  expect(await behind(journey)).toBe(false)
  expect(mine()).toEqual(onOther)

  const linked = join(journey.folder, 'linked')
  journey.git('worktree', 'add', '--quiet', linked, 'main')
  await addAndRun(journey, 'c')
  expect(await behind(journey)).toBe(false)
  expect(readFileSync(join(linked, 'c.txt'), 'utf8')).toBe('c\n')
  expect(journey.git('-C', linked, 'status', '--porcelain')).toBe('')

  journey.git('-C', linked, 'rm', '--quiet', '--cached', 'one.txt')
  const held = await addAndRun(journey, 'd')
  expect(held.stdout).toContain(`main is checked out in ${linked}, with uncommitted changes (one.txt)`)
  expect(await behind(journey)).toBe(true)
  expect(journey.git('-C', linked, 'status', '--porcelain')).toBe('D  one.txt\n?? one.txt')
  expect(mine()).toEqual(onOther)
  expect(landedTasks(journey)).toEqual(['a', 'b', 'c'])
  expect(landedTasks(journey, 'refs/longhaul/landed/main')).toEqual(['a', 'b', 'c', 'd'])
})

test('rewritten history waits for the user, and commits that they dropped never land again', async () => {
  const waits = '{ run: "until test -e \\"$HOME/rewritten\\"; do sleep 0.05; done; echo b > b.txt" }'
  const journey = newJourney({
    'longhaul.yaml': SETTINGS,
    'script.yaml': `- { task: b, steps: [ ${waits}, { report: done } ] }\n${WRITES}`,
  })
  await importTasks(journey, 'a', 'b:a')
  const engine = journey.start(['run', '--json'])
  onEvent(engine, ({ kind, ledger }) => {
    if (kind !== 'session-opened' || !ledger.includes('b-a')) return
    journey.git('reset', '--quiet', '--hard', 'HEAD~1')
    mkdirSync(join(journey.env.HOME ?? '', 'rewritten'))
  })
  expect(await engine.ended).toMatchObject({ code: 3 })
  const dropped = journey.git('rev-parse', 'main')
  const status = await journey.status()
  expect(status).toMatchObject({ run: { state: 'waiting' } })
  expect(status.tasks[1]?.reason).toContain('The history of main was rewritten')
  const again = await journey.cli('run')
  expect(again).toMatchObject({ code: 3, stdout: expect.stringContaining('git update-ref refs/longhaul/landed/main') })
  expect(journey.git('rev-parse', 'main')).toBe(dropped)

  journey.git('update-ref', 'refs/longhaul/landed/main', 'refs/heads/main')
  expect((await journey.cli('run')).code).toBe(0)
  expect(landedTasks(journey)).toEqual(['b'])
  expect([journey.read('a.txt'), journey.read('b.txt')]).toEqual([null, 'b\n'])
  expect(await behind(journey)).toBe(false)
  // Work based on the dropped commits is kept for the user to inspect.
  expect(leftovers(journey).filter((line) => !line.endsWith('b-a1'))).toEqual([])
})

describe('an amended first commit waits for the user, and each way out works as printed', () => {
  test.each([
    ['update-ref', 'a-a2', 1],
    ['merge', 'a-a1', 2],
  ])('git %s', async (way, attempt, roots) => {
    const waits = '{ run: "until test -e \\"$HOME/amended\\"; do sleep 0.05; done; echo a > a.txt" }'
    const journey = newJourney({
      'longhaul.yaml': SETTINGS,
      'script.yaml': `- { task: "*", steps: [ ${waits}, { report: done } ] }\n`,
      'kept.txt': 'first\n',
    })
    await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
    const engine = journey.start(['run', '--json'])
    onEvent(engine, ({ kind }) => {
      if (kind !== 'session-opened') return
      journey.write('kept.txt', 'amended\n')
      userGit(journey, 'commit', '--quiet', '--all', '--amend', '-m', 'amended')
      mkdirSync(join(journey.env.HOME ?? '', 'amended'))
    })
    expect(await engine.ended).toMatchObject({ code: 3 })
    const { stdout } = await journey.cliInProcess('status')
    const command = new RegExp(`git (${way}[^;.]*)`).exec(stdout)?.[1] ?? ''
    userGit(journey, ...command.split(' '))
    expect(await journey.cli('run')).toMatchObject({ code: 0 })
    expect([journey.read('a.txt'), journey.read('kept.txt')]).toEqual(['a\n', 'amended\n'])
    expect(await behind(journey)).toBe(false)
    expect(journey.git('log', '-1', '--format=%(trailers:key=Attempt,valueonly)')).toBe(attempt)
    // Only the merge keeps the dropped commit in the history.
    expect(journey.git('rev-list', '--max-parents=0', 'main').split('\n')).toHaveLength(roots)
  })
})

test('work that conflicts with landed work, or fails its checks after the merge, returns to its agent', async () => {
  const journey = newJourney({ 'longhaul.yaml': '' })
  const line = `git -C '${journey.repository}'`
  const landed = (path: string) =>
    `until ${line} cat-file -e refs/longhaul/landed/main:${path} 2> /dev/null; do sleep 0.05; done`
  const rule = (head: string, ...commands: readonly string[]) =>
    `- { ${head}, steps: [ ${commands.map((command) => `{ run: "${command}" }`).join(', ')}, { report: done } ] }\n`
  journey.write(
    'longhaul.yaml',
    SETTINGS.replace('test ! -e red', '! test -e first -a -e second').replace('limits: {', 'limits: { parallel: 5,'),
  )
  journey.write(
    'script.yaml',
    [
      rule('task: x', 'echo x > same.txt; echo 1 > first'),
      rule('task: fixes, round: 1', 'echo fixes > same.txt', landed('same.txt')),
      rule(
        'task: fixes',
        `git merge -q -X theirs $(${line} rev-parse refs/longhaul/landed/main); echo fixed > fixed.txt`,
      ),
      rule('task: repeats, attempt: 1', 'echo repeats > same.txt', landed('same.txt')),
      rule('task: repeats', 'echo repeated > repeated.txt'),
      rule('task: semantic, round: 1', 'echo 2 > second', landed('first')),
      rule('task: semantic', 'rm second; echo 3 > third'),
    ].join(''),
  )
  journey.commit('settings')
  const tasks = ['x', 'fixes', 'repeats', 'semantic'].map((id) => ({ id, title: id, weight: 'small' }))
  journey.write('tasks.json', JSON.stringify({ tasks }))
  journey.commit('tasks')
  expect((await journey.cliInProcess('import', 'tasks.json')).code).toBe(0)
  const ran = await journey.cli('run', '--json')
  expect(ran).toMatchObject({ code: 0 })
  const facts = jsonLines<Fact & { landing?: string; cause?: string; passed?: boolean }>(ran)
  const refusals = facts.filter(({ kind }) => kind === 'candidate-refused')
  expect([...new Set(refusals.map(({ landing, cause }) => `${landing} ${cause}`))].toSorted()).toEqual([
    'fixes-a1 conflict',
    'repeats-a1 conflict',
    'semantic-a1 checks',
  ])
  const verdicts = facts.filter(({ kind, ledger }) => kind === 'verdict-given' && ledger === 'attempt/semantic-a1')
  expect(verdicts.map(({ passed }) => passed)).toEqual([true, true])
  const status = await journey.status()
  expect(status.tasks.map(({ id, state, attempts }) => `${id} ${state} ${attempts}`)).toEqual([
    'x done 1',
    'fixes done 1',
    'repeats done 2',
    'semantic done 1',
  ])
  expect(landedTasks(journey).toSorted()).toEqual(['fixes', 'repeats', 'semantic', 'x'])
  expect(journey.git('ls-files').split('\n')).toEqual(
    expect.arrayContaining(['first', 'fixed.txt', 'repeated.txt', 'same.txt', 'third']),
  )
  expect([journey.read('same.txt'), journey.read('second')]).toEqual(['x\n', null])
})

async function importTasks(journey: Journey, ...tasks: readonly string[]): Promise<void> {
  journey.write('tasks.json', taskFile(...tasks))
  journey.commit('tasks')
  expect((await journey.cliInProcess('import', 'tasks.json')).code).toBe(0)
}

async function addAndRun(journey: Journey, task: string): Promise<CommandResult> {
  expect((await journey.cliInProcess('add', task, '--title', task, '--weight', 'trivial')).code).toBe(0)
  const ran = await journey.cli('run')
  expect(ran).toMatchObject({ code: 0 })
  return ran
}

async function behind(journey: Journey): Promise<boolean | undefined> {
  return (await journey.status()).run?.targetBehind
}

/** Runs git as the user, and tries again while Longhaul's git holds a lock in the checkout. */
function userGit(journey: Journey, ...args: readonly string[]): void {
  for (let tries = 1; ; tries += 1) {
    try {
      journey.git(...args)
      return
    } catch (error) {
      if (!/index\.lock|cannot lock ref/.test(String(error)) || tries === 100) throw error
    }
  }
}

function bytesOf({ repository }: Journey, files: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(files).map((path) => readFileSync(join(repository, path), 'utf8'))
}
