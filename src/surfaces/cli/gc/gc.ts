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
import { type Freeable, type GcScope, listFreeable } from './freeable.ts'

/** `longhaul gc`: frees disk space. */
export const gcVerb: Verb = {
  about:
    'Lists what is no longer needed: workspaces of landed work, failed ones beyond the last five or older than seven days, leftovers of crashes, salvaged work and transcripts older than 30 days, and temporary files of git processes that were killed. With --caches, also lists the package caches of workspaces. With --yes, removes what it lists; unsaved work in a workspace is salvaged first.',
  examples: ['longhaul gc', 'longhaul gc --yes', 'longhaul gc --caches'],
  shape: (command) =>
    void command
      .option('--caches', 'list package caches, too')
      .option('--yes', 'remove what is listed')
      .option('--json', 'print the list as JSON'),
  async run(context, { options }) {
    const { world } = context
    const repository = await findRepository(context)
    if (!repository.hasState()) return report(context, [], [], false)
    const freesCaches = options.caches === true
    if (options.yes === true) {
      const how = { isFreed: true, isBusy: false, freesCaches }
      return withLease(world, repository, 'gc', ({ store }) => collect(context, repository, store, how))
    }
    const state = unwrap(await repository.openState())
    try {
      const isBusy = (await state.leases.holder()) !== null
      if (isBusy) context.output.remark('An engine is running: what it may be using is not listed.')
      return await collect(context, repository, state.store, { isFreed: false, isBusy, freesCaches })
    } finally {
      await state.store.close()
    }
  },
}

interface Collection extends Pick<GcScope, 'isBusy' | 'freesCaches'> {
  readonly isFreed: boolean
}

async function collect(
  context: VerbContext,
  repository: Repository,
  store: Store,
  { isFreed, ...how }: Collection,
): Promise<ExitCode> {
  const tools = unwrap(await repository.openTools(context.world.clock, isFreed ? 'commits' : 'neither'))
  try {
    const scope = { ...(await scopeOf(context.world, repository, store, tools)), ...how }
    const items = await listFreeable(scope)
    const problems: Problem[] = []
    for (const item of isFreed ? items : []) {
      const refused = await item.free()
      if (isProblem(refused)) problems.push(refused)
    }
    return report(context, items, problems, isFreed)
  } finally {
    await tools.close()
  }
}

async function scopeOf(world: World, repository: Repository, store: Store, tools: GcScope['tools']) {
  const runs = await readRuns(store)
  const current = currentRun(runs)
  const run = current === null ? null : await foldRun(store, current.run)
  const landed = new Set<string>()
  for (const { run: id } of runs) {
    for await (const chunk of store.read(runLedger(id), 0)) {
      for (const recorded of chunk) {
        const event = recorded.event as RunEvent
        if (event.kind === 'attempt-ended' && event.outcome === 'landed') landed.add(event.attempt)
      }
    }
  }
  const live = new Set<string>(run?.attempts.keys())
  const fateOf = (attempt: string): AttemptFate =>
    live.has(attempt) ? 'live' : landed.has(attempt) ? 'landed' : 'over'
  return { repository, tools, run, fateOf, at: world.clock.now() }
}

function report(
  { output }: VerbContext,
  items: readonly Freeable[],
  problems: readonly Problem[],
  isFreed: boolean,
): ExitCode {
  const bytes = items.reduce((sum, { size }) => sum + (size?.bytes ?? 0), 0)
  const isPartial = items.some(({ size }) => size?.isPartial === true)
  output.json({
    isFreed,
    bytes,
    items: items.map(({ what, name, why, size }) => ({ what, name, why, bytes: size?.bytes ?? null })),
    problems: problems.map(({ code, message, hint }) => ({ code, message, hint })),
  })
  for (const { what, name, why, size } of items) {
    const text = `${name} (${size === null ? 'commits' : sizeText(size)}): ${why}`
    for (const line of hanging(`  ${what.padEnd(11)}  `, text, output.width)) output.line(line)
  }
  if (items.length === 0) output.line('Nothing to free.')
  else if (isFreed)
    output.line(`Freed ${items.length - problems.length} of ${items.length}, ${sizeText({ bytes, isPartial })}.`)
  else output.line(`${sizeText({ bytes, isPartial })} can be freed: longhaul gc --yes`)
  for (const { message, hint } of problems) output.remark(`${message} ${hint}`)
  return problems.length === 0 ? EXIT.done : EXIT.failed
}
