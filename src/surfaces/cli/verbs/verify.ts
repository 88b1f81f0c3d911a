import { durationText } from '../../../core/limits/duration-text.ts'
import type { Commit, TaskId } from '../../../core/model/ids.ts'
import { ProblemError, unwrap } from '../../../core/model/problem.ts'
import type { Task } from '../../../core/model/task.ts'
import { type Finding, findingText, type Receipt, type Verdict } from '../../../core/model/verdict.ts'
import { checksOf } from '../../../core/phases/own-checks.ts'
import { standingText } from '../../../core/run/standing-text.ts'
import { type RunState, settingsOf } from '../../../core/run/state.ts'
import { testedText } from '../../../core/test-output/tests-text.ts'
import { ReceiptCache, receiptsAtLanding } from '../../../engine/receipt-cache.ts'
import { checkCommit } from '../../../engine/run-checks.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { Store } from '../../../ports/store.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { untilInterrupted } from '../interrupts.ts'
import { refuse } from '../refusal.ts'
import { readAllTasks, type TaskInRun, taskInRun } from '../repository/all-tasks.ts'
import { missingRun } from '../repository/ask-run.ts'
import { findRepository } from '../repository/open-repository.ts'
import { argument, type Verb, type VerbContext } from '../verb.ts'

/** Prefix of the corners that verifications use. */
export const VERIFY_CORNER = '.verify-'

/** `longhaul verify`: runs the checks of a landed task again. */
export const verifyVerb: Verb = {
  about:
    "Runs the gates and the task's own commands again, for a landed task of any run, in a clean checkout of the commit that landed, and prints their receipts. Failures that its landing excused (tests that already failed before it, or are flaky) are excused and shown as such. Records and changes nothing. Exits with 0 if everything passed, with 1 if something else failed. Ctrl-C stops the checks and removes the checkout.",
  examples: ['longhaul verify fix-login', 'longhaul verify fix-login --json'],
  shape: (command) => void command.argument('<task>', 'a landed task').option('--json', 'print it as JSON'),
  async run(context, typed) {
    const repository = await findRepository(context)
    if (!repository.hasState()) throw new ProblemError(await missingRun(repository))
    const { store } = unwrap(await repository.openState())
    const { signal, close } = untilInterrupted(context.world)
    try {
      const task = taskInRun(await readAllTasks(store), argument(typed, 0) as TaskId)
      const landed = landedTask(task)
      const verdict = await check(context, repository, { store, state: task.run, landed }, signal)
      return verdict === null ? EXIT.interrupted : report(context, landed, verdict)
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

function landedTask({ record: { task, landed, standing, verdict } }: TaskInRun): Landed {
  if (standing === 'reverted') {
    const message = `${task.id} was ${verdict?.reason}, so there is nothing to verify.`
    refuse('task-not-landed', message, `To do it again: longhaul retry ${task.id}`)
  }
  if (landed === null) {
    const message = `${task.id} ${standingText(standing)} and has not landed, so there is nothing to verify.`
    refuse('task-not-landed', message, 'Its attempts are checked while agents work on it; see "longhaul status".')
  }
  return { task, ...landed }
}

/** Runs the checks, or returns null when cancelled. Uses a separate corner: an engine that starts meanwhile must not remove the checkout as a leftover. */
async function check(
  { world, output }: VerbContext,
  repository: Repository,
  { store, state, landed }: { readonly store: Store; readonly state: RunState; readonly landed: Landed },
  signal: AbortSignal,
): Promise<Verdict | null> {
  const { gates, workspace, time, sandbox } = settingsOf(state)
  const { task, commit, receipts } = landed
  const checks = checksOf(gates ?? [], [task])
  const tree = unwrap(await repository.treeOf(commit))
  const before = unwrap(await repository.treeOf(`${commit}^1` as Commit))
  const tools = unwrap(
    await repository.openTools(world.clock, 'neither', { corner: `${VERIFY_CORNER}${world.pid}`, sandbox }),
  )
  try {
    output.line(`Checking ${task.id} as landed (${commit.slice(0, 10)}) in a clean checkout …`)
    const { gate } = tools
    const receiptCache = receiptsAtLanding(new ReceiptCache({ store, gate, clock: world.clock }), { before, receipts })
    const order = {
      name: task.id,
      commit,
      tree,
      checks,
      setting: { setup: workspace.setup, setupMs: time.setupMs },
    }
    const options = { gate, receiptCache, work: null, runOnBase: null, reserveOutputFile: null }
    const checked = await checkCommit(tools.workspaces, options, order, signal)
    return signal.aborted ? null : unwrap(checked).verdict
  } finally {
    await tools.close()
    await repository.removeCorner(`${VERIFY_CORNER}${world.pid}`)
  }
}

function report({ output }: VerbContext, { task, commit }: Landed, verdict: Verdict): ExitCode {
  const { passed, receipts, findings } = verdict
  const { red, yellow } = output.colors
  output.json({ task: task.id, commit, passed, receipts, findings })
  for (const receipt of receipts) output.line(receiptText(receipt, findings, output.colors))
  for (const finding of findings) {
    output.line(red(`  ${finding.source}: ${findingText(finding)}`))
    if (finding.excerpt !== '') for (const line of finding.excerpt.split('\n')) output.line(`    ${line}`)
  }
  if (receipts.length === 0 && passed) output.line(yellow('There are no checks, so this proves nothing.'))
  const isExcused = receipts.some(({ excuse }) => excuse !== null)
  output.line(
    passed
      ? `${task.id} passes${isExcused ? ', with the failures that its landing excused' : ''}.`
      : red(`${task.id} does not pass.`),
  )
  return passed ? EXIT.done : EXIT.failed
}

function receiptText(receipt: Receipt, findings: readonly Finding[], colors: Colors): string {
  const { gate, command, exitCode, timedOut, durationMs, outputDigest, excuse } = receipt
  const tested = testedText(receipt)
  const how = `${timedOut ? 'timed out' : `exit code ${exitCode}`}${tested === '' ? '' : `, ${tested}`}`
  const why = excuse === null ? '' : `: excused: ${excuse}`
  const ran = `${gate}: ${command} (${how}, ${durationText(durationMs)}, output ${outputDigest.slice(0, 12)})${why}`
  return `  ${stateText(receipt, findings, colors)}  ${ran}`
}

/** Returns the state of a check; a red one that still has findings is only partly excused. */
function stateText(
  { gate, passed, blocking, excuse }: Receipt,
  findings: readonly Finding[],
  { green, red, yellow }: Colors,
): string {
  if (passed) return green('passed ')
  if (excuse !== null && findings.every(({ source }) => source !== gate)) return yellow('excused')
  return (blocking ? red : yellow)('red    ')
}
