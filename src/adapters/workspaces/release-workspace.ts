import { existsSync } from 'node:fs'
import type { AttemptSpec } from '../../core/model/attempt.ts'
import type { AttemptId, Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { Released } from '../../ports/workspaces.ts'
import type { WorkspaceContext } from './context.ts'
import { landedProblem } from './landed-proof.ts'
import { letGo } from './let-go.ts'
import { type Place, workspacePlace } from './places.ts'
import { emptyPlace, removePlace } from './remove-place.ts'
import { runIn } from './run-commands.ts'
import { salvageWorkspace } from './salvage.ts'
import { type Traces, tracesOf } from './traces.ts'

/** Removes the workspace of landed work, or salvages and keeps what has not landed. */
export async function releaseWorkspace(
  context: WorkspaceContext,
  spec: AttemptSpec,
  commit: Commit,
  how: 'landed' | 'keep',
): Promise<Released | Problem> {
  const place = workspacePlace(context.home, spec.attempt)
  const emptied = await emptyPlace(context, place)
  if (emptied !== null) return emptied
  const traces = await tracesOf(context.repository.git, spec.attempt, spec.target)
  if (isProblem(traces)) return traces
  const unproven = how === 'landed' ? await landedProblem(context, spec, commit, traces.line) : null
  if (unproven !== null) return unproven
  const salvage = await salvageAll(context, place, spec.attempt, { ...traces, saved: traces.saved ?? commit })
  if (isProblem(salvage)) return salvage
  if (how === 'keep') return { kind: 'released', kept: true, salvage }
  await beforeRemove(context, place, spec)
  const failed =
    (await emptyPlace(context, place)) ??
    (await removePlace(place)) ??
    (await letGo(context, spec.attempt, traces.own, commit))
  return failed ?? { kind: 'released', kept: false, salvage }
}

/** Saves what a workspace holds and its attempt's checkpoints do not; all refs that hold such work, older ones too. */
export async function salvageAll(
  context: WorkspaceContext,
  place: Place,
  attempt: AttemptId,
  { saved, salvaged }: Traces,
): Promise<readonly string[] | Problem> {
  if (saved === null || !wasUsed(place)) return salvaged
  const salvage = await salvageWorkspace(context, place, attempt, saved)
  return isProblem(salvage) ? salvage : [...new Set([...salvaged, ...salvage])]
}

// One that was never made to the end has nobody's work in it; one that was removed has none left.
function wasUsed(place: Place): boolean {
  return existsSync(place.ready) && existsSync(place.tree)
}

async function beforeRemove(
  context: WorkspaceContext,
  place: Place,
  { workspace, bounds, attempt }: AttemptSpec,
): Promise<void> {
  const { beforeRemove: command } = workspace.hooks
  if (command === null || !wasUsed(place)) return
  const hook = { name: 'before_remove', command, timeoutMs: bounds.hookMs }
  const ended = await runIn(context, place, hook, new AbortController().signal)
  if (ended.kind === 'passed') return
  const why = isProblem(ended) ? ended.message : `exit code ${ended.exitCode ?? 'none'}: ${ended.output}`
  context.note(`The hook before_remove of ${attempt} failed (${why}).`)
}
