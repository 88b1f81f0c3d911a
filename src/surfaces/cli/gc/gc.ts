import type { AttemptFate } from '../../../core/limits/retention.ts'
import { runLedger } from '../../../core/model/ids.ts'
import { isProblem, type Problem, unwrap } from '../../../core/model/problem.ts'
import type { RunEvent } from '../../../core/model/run-event.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { Store } from '../../../ports/store.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { hanging } from '../render/columns.ts'
import { sizeText } from '../render/folder-size.ts'
import { withLease } from '../repository/lease-here.ts'
import { findRepository } from '../repository/open-repository.ts'
import { currentRun, foldRun, readRuns } from '../repository/runs.ts'
import type { Verb, VerbContext } from '../verb.ts'
import type { World } from '../world.ts'
import { freeableRecords } from './agent-records.ts'
import { freeableCorners } from './corners.ts'
import type { Freeable, Grounds } from './freeable.ts'
import { freeablePins } from './pins.ts'
import { freeableSalvage } from './salvage.ts'
import { freeableTranscripts } from './transcripts.ts'
import { freeableWorkspaces } from './workspaces.ts'

/** Every sort of thing that is looked for, in the order in which it is freed. */
const SORTS: readonly ((grounds: Grounds) => Promise<readonly Freeable[]>)[] = [
  freeableWorkspaces,
  freeableCorners,
  freeableSalvage,
  freeableTranscripts,
  freeableRecords,
  freeablePins,
]

/** `longhaul gc`: frees what nobody needs any more. */
export const gcVerb: Verb = {
  about:
    'Shows what is kept for nobody: workspaces of landed work, failed ones past the last five or seven days, leftovers of crashes, salvaged work and transcripts older than 30 days, and what agents keep of workspaces that are gone. With --yes it is removed; what is unsaved in a workspace is salvaged first.',
  examples: ['longhaul gc', 'longhaul gc --yes'],
  shape: (command) =>
    void command.option('--yes', 'remove what is shown').option('--json', 'print what was found as JSON'),
  async run(context, { options }) {
    const { world } = context
    const place = await findRepository(context)
    if (!place.hasState()) return tell(context, [], [], false)
    if (options.yes === true) {
      return withLease(world, place, 'gc', ({ store }) => examine(context, place, store, FREES))
    }
    const state = unwrap(await place.openState())
    try {
      const isBusy = (await state.leases.holder()) !== null
      if (isBusy) context.output.remark('An engine is at work: what may be its own is not shown.')
      return await examine(context, place, state.store, { isFreed: false, isBusy })
    } finally {
      await state.store.close()
    }
  },
}

const FREES = { isFreed: true, isBusy: false }

async function examine(
  context: VerbContext,
  place: Repository,
  store: Store,
  { isFreed, isBusy }: typeof FREES,
): Promise<ExitCode> {
  const tools = unwrap(await place.openTools(context.world.clock, isFreed ? 'commits' : 'neither'))
  try {
    const grounds = { ...(await groundsFor(context.world, place, store, tools)), isBusy }
    const found: Freeable[] = []
    for (const sort of SORTS) found.push(...(await sort(grounds)))
    const problems: Problem[] = []
    for (const one of isFreed ? found : []) {
      const refused = await one.free()
      if (isProblem(refused)) problems.push(refused)
    }
    return tell(context, found, problems, isFreed)
  } finally {
    await tools.close()
  }
}

async function groundsFor(world: World, place: Repository, store: Store, tools: Grounds['tools']) {
  const runs = await readRuns(store)
  const current = currentRun(runs)
  const run = current === null ? null : await foldRun(store, current.run)
  const landed = new Set<string>()
  for (const { run: id } of runs) {
    for await (const chunk of store.read(runLedger(id), 0)) {
      for (const { event } of chunk) {
        const fact = event as RunEvent
        if (fact.kind === 'attempt-ended' && fact.outcome === 'landed') landed.add(fact.attempt)
      }
    }
  }
  const live = new Set<string>(run?.attempts.keys())
  const fateOf = (attempt: string): AttemptFate =>
    live.has(attempt) ? 'live' : landed.has(attempt) ? 'landed' : 'over'
  return { place, tools, run, fateOf, at: world.clock.now() }
}

function tell(
  { output }: VerbContext,
  found: readonly Freeable[],
  problems: readonly Problem[],
  isFreed: boolean,
): ExitCode {
  const bytes = found.reduce((sum, { size }) => sum + (size?.bytes ?? 0), 0)
  const isPartial = found.some(({ size }) => size?.isPartial === true)
  const items = found.map(({ what, name, why, size }) => ({ what, name, why, bytes: size?.bytes ?? null }))
  output.json({ isFreed, bytes, items, problems: problems.map(({ code, message, hint }) => ({ code, message, hint })) })
  for (const { what, name, why, size } of found) {
    const told = `${name} (${size === null ? 'commits' : sizeText(size)}): ${why}`
    for (const line of hanging(`  ${what.padEnd(11)}  `, told, output.width)) output.line(line)
  }
  if (found.length === 0) output.line('There is nothing to free.')
  else if (isFreed)
    output.line(`${found.length - problems.length} of ${found.length} freed, ${sizeText({ bytes, isPartial })}.`)
  else output.line(`${sizeText({ bytes, isPartial })} can be freed: longhaul gc --yes`)
  for (const { message, hint } of problems) output.remark(`${message} ${hint}`)
  return problems.length === 0 ? EXIT.done : EXIT.failed
}
