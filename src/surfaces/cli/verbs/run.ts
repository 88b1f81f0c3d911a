import type { RunId } from '../../../core/model/ids.ts'
import { ProblemError } from '../../../core/model/problem.ts'
import type { Settings } from '../../../core/model/settings.ts'
import type { RunState } from '../../../core/run/state.ts'
import { protectionText } from '../../../core/views/protection-text.ts'
import type { WorkspaceOnDisk } from '../../../ports/workspaces.ts'
import { type ExitCode, endedExitCode, exitCodeOf } from '../exit-codes.ts'
import { plainRunOutput, type RunOutput, viewTerminal } from '../live/run-output.ts'
import { renderReport } from '../render/render-report.ts'
import { adoptableSettings, refuseUnapproved } from '../repository/approved-settings.ts'
import { missingRun, noRun } from '../repository/ask-run.ts'
import { driveHere } from '../repository/drive-here.ts'
import { refuseWithoutCommit } from '../repository/first-commit.ts'
import {
  findRepository,
  type OpenRepository,
  openRepositoryFor,
  type ReadSettings,
  readSettings,
} from '../repository/open-repository.ts'
import { refuseUnready, refuseUnusable } from '../repository/refuse-unready.ts'
import { currentRun, foldRun, type RunFound, readRuns, readStatus } from '../repository/runs.ts'
import { isStateLost } from '../repository/save-lost-state.ts'
import { offerOverrides, type TypedArguments, type Verb, type VerbContext } from '../verb.ts'

/** `longhaul run`: works through the open run. */
export const runVerb: Verb = {
  about:
    'Works through the open run until it has ended or needs a person. Run it again to continue where it stopped. Ctrl-C finishes the running rounds, a second Ctrl-C stops them and saves their work, a third exits immediately. On a terminal, shows a live view; if a kill -9 leaves the terminal garbled, "reset" fixes it.',
  examples: ['longhaul run', 'longhaul run --dry-run', 'longhaul run --parallel 5 --no-wait --json'],
  shape: (command) =>
    void offerOverrides(command)
      .option('--no-wait', 'exit with 75 instead of waiting for a usage limit')
      .option('--plain', 'print lines instead of the live view')
      .option('--dry-run', 'show what would start now and why, without starting it')
      .option('--json', 'print events as JSON lines, then the status'),
  async run(context, typed) {
    const repository = await findRepository(context)
    if (!repository.hasState()) {
      await refuseWithoutCommit(repository)
      await adoptableSettings(context.world, repository, typed.options)
      throw new ProblemError(await missingRun(repository))
    }
    const settings = await readSettings(context.world, repository, typed.options)
    const open = await openRepositoryFor(context.world, repository, 'rounds', { sandbox: settings.values.sandbox })
    try {
      if (typed.options.dryRun === true) return await dryRunHere(context, open, settings)
      return await runHere(context, open, settings, typed)
    } finally {
      await open.close()
    }
  },
}

async function runHere(
  context: VerbContext,
  open: OpenRepository,
  settings: ReadSettings,
  typed: TypedArguments,
): Promise<ExitCode> {
  const current = currentRun(await readRuns(open.state.store))
  if (current === null) throw new ProblemError(noRun())
  if (current.summary.endedAt !== null) {
    const done = await nothingToDo(context, open, current)
    if (done !== null) return done
  }
  const { output, world } = context
  const isOpen = current.summary.endedAt === null
  const runOutput = await runOutputFor(context, open, current.run, typed)
  const { end, state } = await driveHere(
    { ...open, world: runOutput.world },
    {
      run: current.run,
      noWait: typed.options.wait === false,
      async prepare() {
        await refuseUnapproved(world, open.repository)
        if (!isOpen) return null
        await refuseUnready(open, current, settings.values)
        return { root: open.repository.root, current: settings, read: () => readAgain(open, settings, typed) }
      },
      started(ask) {
        if (isOpen) printTerms(context, open, settings.values)
        runOutput.open(ask)
      },
      announce: (event) => runOutput.announce(event),
      say: (text) => runOutput.say(text),
    },
  ).finally(() => runOutput.close())
  if (end.kind === 'halted') {
    output.problems([end.problem])
    if (!isStateLost(end.problem)) return exitCodeOf(end, state)
    await open.close()
    // An orderly end of the process closes the database, which would write to files that are no longer ours.
    return world.exit(exitCodeOf(end, state))
  }
  const status = await readStatus(open.repository, open.state, state, world.clock)
  output.json(status)
  for (const line of renderReport(status, state, end, world.clock.now(), output)) output.line(line)
  return exitCodeOf(end, state)
}

/** Reads settings that were edited while the engine runs, under the flags that it was started with. */
async function readAgain(
  open: OpenRepository,
  started: ReadSettings,
  { options }: TypedArguments,
): Promise<ReadSettings> {
  const settings = await adoptableSettings(open.world, open.repository, options)
  if (settings.digest !== started.digest) await refuseUnusable(open, settings.values)
  return settings
}

/** Chooses the live view on a terminal, else lines; the view is loaded only when used. */
async function runOutputFor(
  context: VerbContext,
  open: OpenRepository,
  run: RunId,
  typed: TypedArguments,
): Promise<RunOutput> {
  const terminal = viewTerminal(context, typed)
  if (terminal === null) return plainRunOutput(context)
  const { liveRunOutput } = await import('../live/live-output.ts')
  return liveRunOutput(context, open, run, terminal)
}

async function dryRunHere(context: VerbContext, open: OpenRepository, { values }: ReadSettings): Promise<ExitCode> {
  await refuseUnapproved(open.world, open.repository)
  const current = currentRun(await readRuns(open.state.store))
  if (current === null) throw new ProblemError(noRun())
  if (current.summary.endedAt === null) await refuseUnready(open, current, values)
  const { dryRun } = await import('./dry-run.ts')
  return dryRun(context, await foldRun(open.state.store, current.run), values)
}

/** Reports that an ended run needs nothing; null when its target is behind or a killed engine left something. */
async function nothingToDo(
  { world, output }: VerbContext,
  { repository, state, tools }: OpenRepository,
  { run }: RunFound,
): Promise<ExitCode | null> {
  const ended = await foldRun(state.store, run)
  const status = await readStatus(repository, state, ended, world.clock)
  const onDisk = (await state.leases.holder()) === null ? await tools.workspaces.list() : []
  if (status.run?.targetBehind === true || onDisk.some((one) => !isKept(ended, one))) return null
  output.json(status)
  output.line(`Nothing to do: run ${run} has ended (${ended.counts.done} of ${ended.tasks.size} tasks are done).`)
  for (const { id, state: standing } of status.tasks) {
    if (standing === 'failed')
      output.line(`${id} failed; to see why: longhaul show ${id} --dossier; to try again: longhaul retry ${id}`)
  }
  output.line('To add tasks: longhaul import FILE')
  return endedExitCode(ended)
}

/** True for workspaces of failed attempts, also for one whose setup failed. */
function isKept({ tasks }: RunState, { kind, attempt }: WorkspaceOnDisk): boolean {
  if (kind === 'workspace') return true
  return (
    kind === 'partial' && [...tasks.values()].some(({ last, landed }) => landed === null && last?.attempt === attempt)
  )
}

/** Prints how agents are contained and what proves their work. */
function printTerms({ output }: VerbContext, { tools }: OpenRepository, { agent, gates }: Settings): void {
  const say = (text: string) => (output.isJson ? output.remark(text) : output.line(text))
  const { yellow } = output.colors
  const { protection } = tools
  say(
    protection.kind === 'none' || protection.level === 'trusted'
      ? yellow(protectionText(protection))
      : protectionText(protection),
  )
  if (agent.access === 'full') say(yellow('Agents have FULL access: they are never asked for permission.'))
  if (gates?.length === 0) say(yellow('No checks (gates: []): nothing proves what lands. proof: none'))
}
