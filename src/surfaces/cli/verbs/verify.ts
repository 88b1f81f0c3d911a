import type { Commit, TaskId } from '../../../core/model/ids.ts'
import { ProblemError, unwrap } from '../../../core/model/problem.ts'
import type { Task } from '../../../core/model/task.ts'
import { type Finding, findingText, type Receipt, type Verdict } from '../../../core/model/verdict.ts'
import { checksOf } from '../../../core/phases/own-checks.ts'
import { standingText } from '../../../core/run/standing-text.ts'
import { type RunState, settingsOf } from '../../../core/run/state.ts'
import { unknownTask } from '../../../core/run/unknown-task.ts'
import { testedText } from '../../../core/test-output/tests-text.ts'
import { ReceiptCache, receiptsAtLanding } from '../../../engine/receipt-cache.ts'
import { checkCommit } from '../../../engine/run-checks.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { Store } from '../../../ports/store.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { untilInterrupted } from '../interrupts.ts'
import { refuse } from '../refusal.ts'
import { duration } from '../render/times.ts'
import { noRun } from '../repository/ask-run.ts'
import { findRepository } from '../repository/open-repository.ts'
import { currentRun, foldRun, readRuns } from '../repository/runs.ts'
import { argument, type Verb, type VerbContext } from '../verb.ts'

/** How corners for verifications begin. */
export const VERIFY_CORNER = '.verify-'

/** `longhaul verify`: proves a landed task once more. */
export const verifyVerb: Verb = {
  about:
    "Runs the gates and the task's own commands again, in a clean checkout of the commit that landed, and prints their receipts. What its landing excused (tests that failed before it, too, or fail only sometimes) is excused here, and said. Nothing is recorded or changed. 0: all passed, 1: something else is red. Ctrl-C ends the checks and removes the checkout.",
  examples: ['longhaul verify fix-login', 'longhaul verify fix-login --json'],
  shape: (command) => void command.argument('<task>', 'a task that has landed').option('--json', 'print it as JSON'),
  async run(context, given) {
    const place = await findRepository(context)
    if (!place.hasState()) throw new ProblemError(noRun())
    const { store } = unwrap(await place.openState())
    const { signal, close } = untilInterrupted(context.world)
    try {
      const run = currentRun(await readRuns(store))
      if (run === null) throw new ProblemError(noRun())
      const state = await foldRun(store, run.run)
      const landed = landedTask(state, argument(given, 0) as TaskId)
      const verdict = await check(context, place, { store, state, landed }, signal)
      return verdict === null ? EXIT.interrupted : tell(context, landed, verdict)
    } finally {
      close()
      await store.close()
    }
  },
}

type Colors = VerbContext['output']['colors']

interface Landed {
  readonly task: Task
  readonly commit: Commit
  readonly receipts: readonly Receipt[]
}

function landedTask(state: RunState, task: TaskId): Landed {
  const record = state.tasks.get(task)
  if (record === undefined) {
    throw new ProblemError(unknownTask(task, `run ${state.id}`, state.tasks.keys()))
  }
  if (record.landed === null) {
    const message = `${task} ${standingText(record.standing)} and has not landed, so there is nothing to verify.`
    refuse('task-not-landed', message, 'Its attempts are checked while it is worked on; see "longhaul status".')
  }
  return { task: record.task, ...record.landed }
}

/** null: called off. In a corner of its own: an engine that starts meanwhile must not take the checkout for a leftover. */
async function check(
  { world, output }: VerbContext,
  place: Repository,
  { store, state, landed }: { readonly store: Store; readonly state: RunState; readonly landed: Landed },
  signal: AbortSignal,
): Promise<Verdict | null> {
  const { gates, workspace, time } = settingsOf(state)
  const { task, commit, receipts } = landed
  const checks = checksOf(gates ?? [], [task])
  const tree = unwrap(await place.treeOf(commit))
  const before = unwrap(await place.treeOf(`${commit}^1` as Commit))
  const tools = unwrap(await place.openTools(world.clock, 'neither', `${VERIFY_CORNER}${world.pid}`))
  try {
    output.line(`Checking ${task.id} as it landed, ${commit.slice(0, 10)}, in a clean checkout …`)
    const { gate } = tools
    const receiptCache = receiptsAtLanding(new ReceiptCache({ store, gate, clock: world.clock }), { before, receipts })
    const order = {
      name: task.id,
      commit,
      tree,
      checks,
      setting: { setup: workspace.setup, setupMs: time.setupMs },
    }
    const options = { gate, receiptCache, work: null, reserveOutputFile: null }
    const checked = await checkCommit(tools.workspaces, options, order, signal)
    return signal.aborted ? null : unwrap(checked).verdict
  } finally {
    await tools.close()
    await place.removeCorner(`${VERIFY_CORNER}${world.pid}`)
  }
}

function tell({ output }: VerbContext, { task, commit }: Landed, verdict: Verdict): ExitCode {
  const { passed, receipts, findings } = verdict
  const { red, yellow } = output.colors
  output.json({ task: task.id, commit, passed, receipts, findings })
  for (const receipt of receipts) output.line(receiptText(receipt, findings, output.colors))
  for (const finding of findings) {
    output.line(red(`  ${finding.source}: ${findingText(finding)}`))
    if (finding.excerpt !== '') for (const line of finding.excerpt.split('\n')) output.line(`    ${line}`)
  }
  if (receipts.length === 0 && passed) output.line(yellow('There are no checks, so nothing is proven.'))
  const isExcused = receipts.some(({ excuse }) => excuse !== null)
  output.line(
    passed
      ? `${task.id} passes${isExcused ? ', with what its landing excused' : ''}.`
      : red(`${task.id} does not pass.`),
  )
  return passed ? EXIT.done : EXIT.failed
}

function receiptText(receipt: Receipt, findings: readonly Finding[], colors: Colors): string {
  const { gate, command, exitCode, timedOut, durationMs, outputDigest, excuse } = receipt
  const tested = testedText(receipt)
  const how = `${timedOut ? 'took too long' : `exit code ${exitCode}`}${tested === '' ? '' : `, ${tested}`}`
  const why = excuse === null ? '' : `: not held against it: ${excuse}`
  const ran = `${gate}: ${command} (${how}, ${duration(durationMs)}, output ${outputDigest.slice(0, 12)})${why}`
  return `  ${stateText(receipt, findings, colors)}  ${ran}`
}

/** A red check of which something is still found is excused in part only. */
function stateText(
  { gate, passed, blocking, excuse }: Receipt,
  findings: readonly Finding[],
  { green, red, yellow }: Colors,
): string {
  if (passed) return green('passed ')
  if (excuse !== null && findings.every(({ source }) => source !== gate)) return yellow('excused')
  return (blocking ? red : yellow)('red    ')
}
