import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../simulation/world/random.ts'
import type { Journey } from './journey.ts'

/** Task of a generated backlog. */
export interface PlannedTask {
  readonly id: string
  readonly title: string
  readonly weight: 'trivial' | 'small'
  readonly after: readonly string[]
}

/** Generates tasks with random dependencies on tasks shortly before them. */
export function randomBacklog(random: Random, count: number): readonly PlannedTask[] {
  const tasks: PlannedTask[] = []
  for (let number = 1; number <= count; number += 1) {
    const near = tasks.slice(-NEAR)
    const after =
      near.length === 0 ? [] : Array.from({ length: random.below(AFTER_MAX + 1) }, () => random.pick(near).id)
    const id = `t${String(number).padStart(2, '0')}`
    tasks.push({
      id,
      title: `Task ${id}`,
      weight: random.chance(0.5) ? 'small' : 'trivial',
      after: [...new Set(after)],
    })
  }
  return tasks
}

const NEAR = 6
const AFTER_MAX = 2

/**
 * Returns a script in which every round adds a line to its task's file and then to a journal outside the repository, and
 * leaves a child in a new session; every seventh task fails the checks once.
 */
export function journalScript(journal: string): string {
  const leaveChild = 'setsid sleep 600 > /dev/null 2>&1 &'
  const mark = '$LONGHAUL_TASK $LONGHAUL_ATTEMPT.$LONGHAUL_ROUND'
  const add = `mkdir -p work; echo ${mark} >> work/$LONGHAUL_TASK.txt; echo ${mark} >> '${journal}'`
  const turn = '{ usage: { input: 10, output: 5 } }, { wait: 0.1 }'
  const red = ['t07', 't14', 't21', 't28'].map(
    (task) =>
      `- { task: ${task}, round: 1, steps: [ { run: "${leaveChild} touch red; ${add}" }, ${turn}, { report: done } ] }`,
  )
  const rest = `- { task: "*", steps: [ { run: "${leaveChild} rm -f red; ${add}" }, ${turn}, { report: done } ] }`
  return `${[...red, rest].join('\n')}\n`
}

/** Lists lines that agents wrote according to the journal and that a branch lacks. */
export function workLost({ git }: Journey, journal: string, branch = 'main'): readonly string[] {
  const written = existsSync(journal) ? lines(readFileSync(journal, 'utf8')) : []
  return written.filter((mark) => {
    const [task = ''] = mark.split(' ')
    return !lines(git('show', `${branch}:${join('work', `${task}.txt`)}`)).includes(mark)
  })
}

/** Lists lines that agents wrote according to the journal and that neither git nor any folder of the journey has. */
export function workNowhere({ git, repository, env }: Journey, journal: string): readonly string[] {
  const refs = lines(git('for-each-ref', '--format=%(refname)'))
  const succeeds = (program: string, args: readonly string[], cwd: string) =>
    spawnSync(program, args, { cwd, env, stdio: 'ignore' }).status === 0
  const written = existsSync(journal) ? lines(readFileSync(journal, 'utf8')) : []
  return written.filter((mark) => {
    const isInGit = succeeds('git', ['grep', '--quiet', '--fixed-strings', mark, ...refs], repository)
    return !isInGit && !succeeds('grep', ['-rqF', '--include=*.txt', mark, env.XDG_STATE_HOME ?? ''], repository)
  })
}

/** Lists landed tasks in the order of a branch's first-parent history. */
export function landedTasks({ git }: Journey, branch = 'main'): readonly string[] {
  const format = '--format=%(trailers:key=Task-Id,valueonly,separator=%x20)'
  return lines(git('log', '--first-parent', '--reverse', format, branch))
}

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '')
}
