import type { Commit, TaskId } from '../../core/model/ids.ts'
import type { Verdict } from '../../core/model/verdict.ts'
import { checksOf } from '../../core/phases/own-checks.ts'
import { type RunState, settingsOf, type TaskRecord } from '../../core/run/state.ts'
import { tellStanding } from '../../core/run/tell-standing.ts'
import { unknownTask } from '../../core/run/unknown-task.ts'
import { testedText } from '../../core/test-output/tests-text.ts'
import { checkCommit } from '../../engine/check-commit.ts'
import { noRun } from './ask-run.ts'
import { findPlace } from './desk.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { untilInterrupted } from './interrupts.ts'
import { need, Refusal, refuse } from './refusal.ts'
import { currentRun, foldRun, readRuns } from './runs.ts'
import { duration } from './tell-time.ts'
import { argument, type Context, type Verb } from './verb.ts'
import type { Place } from './world.ts'

/** How corners for verifications begin. */
export const VERIFY_CORNER = '.verify-'

/** `longhaul verify`: proves a landed task once more. */
export const verifyVerb: Verb = {
  about:
    "Runs the gates and the task's own commands again, in a clean checkout of the commit that landed, and prints their receipts. Nothing is recorded or changed. 0: all passed, 1: something is red. Ctrl-C ends the checks and removes the checkout.",
  examples: ['longhaul verify fix-login', 'longhaul verify fix-login --json'],
  shape: (command) => void command.argument('<task>', 'a task that has landed').option('--json', 'print it as JSON'),
  async run(context, given) {
    const place = await findPlace(context)
    if (!place.hasState()) throw new Refusal([noRun()])
    const state = await readRun(place)
    const { record, commit } = landedTask(state, argument(given, 0) as TaskId)
    const { signal, close } = untilInterrupted(context.world)
    try {
      const verdict = await check(context, place, state, record, commit, signal)
      return verdict === null ? EXIT.interrupted : tell(context, record, commit, verdict)
    } finally {
      close()
    }
  },
}

async function readRun(place: Place): Promise<RunState> {
  const { store } = need(await place.openState())
  try {
    const run = currentRun(await readRuns(store))
    if (run === null) throw new Refusal([noRun()])
    return await foldRun(store, run.run)
  } finally {
    await store.close()
  }
}

function landedTask(state: RunState, task: TaskId): { readonly record: TaskRecord; readonly commit: Commit } {
  const record = state.tasks.get(task)
  if (record === undefined) {
    throw new Refusal([unknownTask(task, `run ${state.id}`, state.tasks.keys())])
  }
  if (record.landed === null) {
    const message = `${task} ${tellStanding(record.standing)} and has not landed, so there is nothing to verify.`
    refuse('task-not-landed', message, 'Its attempts are checked while it is worked on; see "longhaul status".')
  }
  return { record, commit: record.landed.commit }
}

/** null: called off. In a corner of its own: an engine that starts meanwhile must not take the checkout for a leftover. */
async function check(
  { world, output }: Context,
  place: Place,
  state: RunState,
  { task }: TaskRecord,
  commit: Commit,
  signal: AbortSignal,
): Promise<Verdict | null> {
  const { gates, workspace, time } = settingsOf(state)
  const checks = checksOf(gates ?? [], [task])
  const tree = need(await place.treeOf(commit))
  const tools = need(await place.openTools(world.clock, 'neither', `${VERIFY_CORNER}${world.pid}`))
  try {
    output.line(`Checking ${task.id} as it landed, ${commit.slice(0, 10)}, in a clean checkout …`)
    const setting = { setup: workspace.setup, setupMs: time.setupMs }
    const order = { name: task.id, commit, tree, checks, setting }
    const checked = await checkCommit(
      tools.workspaces,
      { gate: tools.gate, known: null, work: null, makeRoom: null },
      order,
      signal,
    )
    return signal.aborted ? null : need(checked).verdict
  } finally {
    await tools.close()
    await place.removeCorner(`${VERIFY_CORNER}${world.pid}`)
  }
}

function tell({ output }: Context, { task }: TaskRecord, commit: Commit, verdict: Verdict): ExitCode {
  const { passed, receipts, findings } = verdict
  const { green, red, yellow } = output.colors
  output.json({ task: task.id, commit, passed, receipts, findings })
  for (const { gate, command, exitCode, timedOut, durationMs, outputDigest, ...receipt } of receipts) {
    const tested = testedText(receipt)
    const how = `${timedOut ? 'took too long' : `exit code ${exitCode}`}${tested === '' ? '' : `, ${tested}`}`
    const state = receipt.passed ? green('passed') : (receipt.blocking ? red : yellow)('red   ')
    output.line(
      `  ${state}  ${gate}: ${command} (${how}, ${duration(durationMs)}, output ${outputDigest.slice(0, 12)})`,
    )
  }
  for (const { source, message, excerpt } of findings) {
    output.line(red(`  ${source}: ${message}`))
    if (excerpt !== '') for (const line of excerpt.split('\n')) output.line(`    ${line}`)
  }
  if (receipts.length === 0 && passed) output.line(yellow('There are no checks, so nothing is proven.'))
  output.line(passed ? `${task.id} passes.` : red(`${task.id} does not pass.`))
  return passed ? EXIT.done : EXIT.failed
}
