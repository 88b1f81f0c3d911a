import { existsSync } from 'node:fs'
import type { AttemptSpec } from '../core/model/attempt.ts'
import type { AttemptId, Commit } from '../core/model/ids.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import { refs } from '../git/names.ts'
import { readRefs } from '../git/refs.ts'
import type { Released } from '../ports/workspaces.ts'
import type { Context } from './context.ts'
import { landedProblem } from './landed-proof.ts'
import { letGo } from './let-go.ts'
import { type Place, workspacePlace } from './places.ts'
import { emptyPlace, removePlace } from './remove-place.ts'
import { runIn } from './run-commands.ts'
import { salvageWorkspace } from './salvage.ts'

/** Removes the workspace of landed work, or salvages and keeps what has not landed. */
export async function releaseWorkspace(
  context: Context,
  spec: AttemptSpec,
  commit: Commit,
  how: 'landed' | 'keep',
): Promise<Released | Problem> {
  const place = workspacePlace(context.home, spec.attempt)
  const emptied = await emptyPlace(context, place)
  if (emptied !== null) return emptied
  const unproven = how === 'landed' ? await landedProblem(context, spec, commit) : null
  if (unproven !== null) return unproven
  const salvage = await salvageAll(context, place, spec.attempt, commit)
  if (isProblem(salvage)) return salvage
  if (how === 'keep') return { kind: 'released', kept: true, salvage }
  await beforeRemove(context, place, spec)
  const failed =
    (await emptyPlace(context, place)) ?? (await removePlace(place)) ?? (await letGo(context, spec.attempt, commit))
  return failed ?? { kind: 'released', kept: false, salvage }
}

/** Saves what an attempt's workspace holds and its checkpoints do not; all refs that hold such work, older ones too. */
export async function salvageAll(
  context: Context,
  place: Place,
  attempt: AttemptId,
  commit: Commit | null,
): Promise<readonly string[] | Problem> {
  const [pin, salvaged] = [refs.attempt(attempt), refs.salvage(attempt)]
  const found = await readRefs(context.repository.git, [pin, salvaged, `${salvaged}++*`])
  if (isProblem(found)) return found
  const before = [...found.keys()].filter((ref) => ref !== pin)
  const saved = found.get(pin)?.commit ?? commit
  // Never made to the end, so nobody ever worked in it; or removed already.
  if (saved === null || !existsSync(place.ready) || !existsSync(place.tree)) return before
  const salvage = await salvageWorkspace(context, place, attempt, saved)
  return isProblem(salvage) ? salvage : [...new Set([...before, ...salvage])]
}

async function beforeRemove(
  context: Context,
  place: Place,
  { workspace, bounds, attempt }: AttemptSpec,
): Promise<void> {
  const { beforeRemove: command } = workspace.hooks
  if (command === null || !existsSync(place.ready) || !existsSync(place.tree)) return
  const hook = { name: 'before_remove', command, timeoutMs: bounds.hookMs }
  const ended = await runIn(context, place, hook, new AbortController().signal)
  if (ended.kind === 'passed') return
  const why = isProblem(ended) ? ended.message : `exit code ${ended.exitCode ?? 'none'}: ${ended.output}`
  context.note(`The hook before_remove of ${attempt} failed (${why}).`)
}
