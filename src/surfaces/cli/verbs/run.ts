import type { RoundOrder } from '../../../core/model/effect.ts'
import type { RunId } from '../../../core/model/ids.ts'
import { ProblemError, unwrap } from '../../../core/model/problem.ts'
import type { Settings } from '../../../core/model/settings.ts'
import { type ExitCode, endedExitCode, exitCodeOf } from '../exit-codes.ts'
import { plainRunOutput, type RunOutput, viewTerminal } from '../live/run-output.ts'
import { refuse } from '../refusal.ts'
import { renderReport } from '../render/render-report.ts'
import { noRun } from '../repository/ask-run.ts'
import { driveHere } from '../repository/drive-here.ts'
import {
  findRepository,
  type OpenRepository,
  openRepositoryFor,
  type ReadSettings,
  readSettings,
} from '../repository/open-repository.ts'
import { currentRun, foldRun, type RunFound, readRuns, readStatus } from '../repository/runs.ts'
import { targetProblem } from '../repository/target.ts'
import { offerOverrides, type TypedArguments, type Verb, type VerbContext } from '../verb.ts'

/** `longhaul run`: works the open run off. */
export const runVerb: Verb = {
  about:
    'Works on the open run until it has ended or waits for a person. Started again, it goes on where it was. Ctrl-C finishes rounds, a second one stops them and saves their work, a third ends everything at once. On a terminal it is shown on a screen of its own; should a kill -9 leave that odd, "reset" mends it.',
  examples: ['longhaul run', 'longhaul run --dry-run', 'longhaul run --parallel 5 --no-wait --json'],
  shape: (command) =>
    void offerOverrides(command)
      .option('--no-wait', 'end with 75 instead of waiting for a usage limit')
      .option('--plain', 'lines instead of a screen')
      .option('--dry-run', 'say what would start now and why, and start nothing')
      .option('--json', 'print events as JSON lines, and the status at last'),
  async run(context, given) {
    const place = await findRepository(context)
    const settings = await readSettings(context.world, place, given.options)
    if (!place.hasState()) throw new ProblemError(noRun())
    const desk = await openRepositoryFor(context.world, place, 'rounds')
    try {
      if (given.options.dryRun === true) return await dryRunHere(context, desk, settings)
      return await runHere(context, desk, settings, given)
    } finally {
      await desk.close()
    }
  },
}

async function runHere(
  context: VerbContext,
  desk: OpenRepository,
  settings: ReadSettings,
  given: TypedArguments,
): Promise<ExitCode> {
  const found = currentRun(await readRuns(desk.state.store))
  if (found === null) throw new ProblemError(noRun())
  if (found.summary.endedAt !== null) {
    const done = await nothingToDo(context, desk, found)
    if (done !== null) return done
  } else {
    await refuseUnready(desk, found, settings.values)
  }
  const { output, world } = context
  const isOpen = found.summary.endedAt === null
  const telling = await tellingFor(context, desk, found.run, given)
  const { end, state } = await driveHere(
    { ...desk, world: telling.world },
    {
      run: found.run,
      settings: isOpen ? settings : null,
      noWait: given.options.wait === false,
      began(ask) {
        if (isOpen) tellTerms(context, desk, settings.values)
        telling.open(ask)
      },
      heard: (event) => telling.heard(event),
      say: (text) => telling.say(text),
    },
  ).finally(() => telling.close())
  if (end.kind === 'halted') {
    output.problems([end.problem])
    return exitCodeOf(end, state)
  }
  const status = await readStatus(desk.place, desk.state, state, world.clock)
  output.json(status)
  for (const line of renderReport(status, state, end, world.clock.now(), output)) output.line(line)
  return exitCodeOf(end, state)
}

/** A screen where a person looks; else lines. The screen is loaded only then. */
async function tellingFor(
  context: VerbContext,
  desk: OpenRepository,
  run: RunId,
  given: TypedArguments,
): Promise<RunOutput> {
  const terminal = viewTerminal(context, given)
  if (terminal === null) return plainRunOutput(context)
  const { liveTelling } = await import('../live/live-output.ts')
  return liveTelling(context, desk, run, terminal)
}

async function dryRunHere(context: VerbContext, desk: OpenRepository, { values }: ReadSettings): Promise<ExitCode> {
  const found = currentRun(await readRuns(desk.state.store))
  if (found === null) throw new ProblemError(noRun())
  if (found.summary.endedAt === null) await refuseUnready(desk, found, values)
  const { dryRun } = await import('./dry-run.ts')
  return dryRun(context, await foldRun(desk.state.store, found.run), values)
}

/** Says so when an ended run needs nothing; null: its target is behind, or a killed engine has left something. */
async function nothingToDo(
  { world, output }: VerbContext,
  { place, state, tools }: OpenRepository,
  { run }: RunFound,
): Promise<ExitCode | null> {
  const ended = await foldRun(state.store, run)
  const status = await readStatus(place, state, ended, world.clock)
  const onDisk = (await state.leases.holder()) === null ? await tools.workspaces.list() : []
  if (status.run?.targetBehind === true || onDisk.some(({ kind }) => kind !== 'workspace')) return null
  output.json(status)
  output.line(`Nothing to do: run ${run} has ended (${ended.counts.done} of ${ended.tasks.size} tasks are done).`)
  output.line('Bring in tasks with "longhaul import FILE", or try failed ones again with "longhaul retry TASK".')
  return endedExitCode(ended)
}

/** Refuses what would only fail later, or prove nothing. */
async function refuseUnready(
  { world, tools, place }: OpenRepository,
  found: RunFound,
  settings: Settings,
): Promise<void> {
  const { summary, run } = found
  if (Object.values(summary.counts).every((count) => count === 0)) {
    refuse('no-tasks', `Run ${run} has no tasks.`, 'Bring some in: longhaul import FILE')
  }
  unwrap(targetProblem(found, settings))
  if (!(await place.hasBranch(summary.target))) {
    refuse(
      'no-target-branch',
      `There is no branch ${summary.target}, on which work should land.`,
      `Make it again: git branch ${summary.target}`,
    )
  }
  if (settings.gates === null) {
    refuse(
      'no-gates',
      'No checks are configured, so nothing that lands would be proven.',
      'Write "gates" in longhaul.yaml ("longhaul init" suggests some), or "gates: []" if that is what you want.',
    )
  }
  unwrap((await world.adapters()).driverProblem(settings.agent.driver))
  const order: Pick<RoundOrder, 'agent'> = { agent: settings.agent }
  unwrap((await tools.driver(settings.agent.driver)?.ready(order)) ?? null)
}

/** Says under which terms the agents work. */
function tellTerms({ output }: VerbContext, { tools }: OpenRepository, { agent, gates }: Settings): void {
  const say = (text: string) => (output.isJson ? output.remark(text) : output.line(text))
  const { yellow } = output.colors
  say(
    tools.containment === 'bwrap'
      ? 'Agents and checks run under bwrap: nothing they start outlives this engine.'
      : 'bwrap cannot be used here: a guard process ends what agents and checks start, should this engine die.',
  )
  if (agent.access === 'workspace') {
    say(yellow('Agents are NOT sandboxed yet: their commands run as you, with your files and your network.'))
  }
  if (agent.access === 'full') say(yellow('Agents have FULL access: nothing they want to do is asked about.'))
  if (gates?.length === 0) say(yellow('No checks (gates: []): what lands is not proven. proof: none'))
}
