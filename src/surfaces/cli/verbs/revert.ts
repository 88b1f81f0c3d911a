import { Option } from 'commander'
import type { TaskId } from '../../../core/model/ids.ts'
import type { Request } from '../../../core/model/input.ts'
import { ProblemError } from '../../../core/model/problem.ts'
import { isAfter } from '../../../core/run/landed-dependents.ts'
import type { RunState } from '../../../core/run/state.ts'
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts'
import { liveLine } from '../render/render-event.ts'
import { askRun, missingRun, noRun } from '../repository/ask-run.ts'
import { driveHere } from '../repository/drive-here.ts'
import { findRepository, type OpenRepository, openRepositoryFor } from '../repository/open-repository.ts'
import { currentRun, foldRun, readRuns } from '../repository/runs.ts'
import { argument, type TypedArguments, type Verb, type VerbContext } from '../verb.ts'
import { revertRequest } from './revert-request.ts'

/** `longhaul revert`: undoes a landed task. */
export const revertVerb: Verb = {
  about:
    'Undoes a landed task, of any run, with a new commit that is checked like any other. The task is then "reverted", which counts as done. If landed tasks rest on it (they are after it, or changed the same files later), it names them and changes nothing, unless you say what to do with them. Tasks after it that have not started are blocked until it is retried or skipped. While other tasks are open, the revert happens with the next "longhaul run".',
  examples: ['longhaul revert fix-login', 'longhaul revert fix-login --with-dependents'],
  shape: (command) =>
    void command
      .argument('<task>', 'the task')
      .option('--with-dependents', 'also revert the landed tasks that rest on it, newest first')
      .addOption(
        new Option('--alone', 'revert it even if landed tasks rest on it, and leave those').conflicts('withDependents'),
      )
      .option('--json', 'print the outcome as JSON'),
  async run(context, typed) {
    const task = argument(typed, 0) as TaskId
    const repository = await findRepository(context)
    if (!repository.hasState()) throw new ProblemError(await missingRun(repository))
    const open = await openRepositoryFor(context.world, repository, 'commits')
    try {
      const request = await revertRequest(open, task, wantedFor(typed))
      const { byEngine } = await askRun(open, { purpose: 'revert', request, opening: null })
      const state = await currentState(open)
      if (byEngine) return reportPending(context, state, task, 'The running engine does it now.')
      return isOnlyWork(state)
        ? await revertHere(context, open, state, task)
        : reportPending(context, state, task, 'Next: longhaul run')
    } finally {
      await open.close()
    }
  },
}

function wantedFor({ options }: TypedArguments): Extract<Request, { kind: 'revert' }>['dependents'] {
  if (options.withDependents === true) return 'revert'
  return options.alone === true ? 'keep' : 'refuse'
}

async function currentState({ state: { store } }: OpenRepository): Promise<RunState> {
  const run = currentRun(await readRuns(store))?.run
  if (run === undefined) throw new ProblemError(noRun())
  return foldRun(store, run)
}

async function revertHere(
  { output }: VerbContext,
  open: OpenRepository,
  before: RunState,
  task: TaskId,
): Promise<ExitCode> {
  if (before.id === null) throw new ProblemError(noRun())
  const dependents = requestedWith(before, task)
  const { end, state } = await driveHere(open, {
    run: before.id,
    noWait: true,
    prepare: async () => null,
    started: () => {},
    announce(event) {
      const line = output.isJson ? null : liveLine(event, output.colors)
      if (line !== null) output.line(line)
    },
    say: (text) => output.remark(text),
  })
  if (end.kind === 'halted') output.problems([end.problem])
  const isReverted = state.tasks.get(task)?.landed === null
  output.json({ reverted: task, isReverted, dependents })
  if (isReverted) for (const line of heldBack(state, task)) output.remark(output.colors.yellow(line))
  if (isReverted) return EXIT.done
  return end.kind === 'settled' && end.condition.kind === 'ended' ? EXIT.failed : exitCodeOf(end, state)
}

/** True when driving the run now would do nothing but the revert. */
function isOnlyWork({ counts, attempts }: RunState): boolean {
  const open = counts.waiting + counts.ready + counts.running + counts.landing + counts.parked + counts['needs-person']
  return open === 0 && attempts.size === 0
}

/** Returns the tasks that are reverted before a task because they rest on it, in this order. */
function requestedWith({ tasks, landings }: RunState, task: TaskId): readonly TaskId[] {
  return landings.flatMap(({ subject }) => {
    if (subject.kind !== 'revert' || subject.task === task) return []
    const { revert = null } = tasks.get(subject.task) ?? {}
    return revert?.kind === 'pending' && revert.root === task ? [subject.task] : []
  })
}

/** Names the tasks that wait for a reverted one, and those that continue without it. */
function heldBack(state: RunState, task: TaskId): readonly string[] {
  const after = [...state.tasks.values()].filter((record) => isAfter(state, record.task.id, task))
  const named = (isWanted: (standing: string) => boolean) =>
    after.flatMap((record) => (isWanted(record.standing) ? [record.task.id] : [])).join(', ')
  const [blocked, working] = [named((standing) => BLOCKED.has(standing)), named((standing) => WORKING.has(standing))]
  return [
    ...(blocked === '' ? [] : [`Blocked until ${task} is retried or skipped: ${blocked}`]),
    ...(working === '' ? [] : [`In progress, and checked without the work of ${task} when it lands: ${working}`]),
  ]
}

const BLOCKED: ReadonlySet<string> = new Set(['blocked', 'waiting', 'ready'])
const WORKING: ReadonlySet<string> = new Set(['running', 'parked', 'needs-person'])

function reportPending({ output }: VerbContext, state: RunState, task: TaskId, next: string): ExitCode {
  const dependents = requestedWith(state, task)
  output.json({ reverted: task, isReverted: false, dependents })
  const first = dependents.length === 0 ? '' : `, after ${dependents.join(', ')}`
  output.line(`${task} will be reverted${first}. ${next}`)
  for (const line of heldBack(state, task)) output.remark(output.colors.yellow(line))
  return EXIT.done
}
