import type { CheckoutSetting } from '../../core/model/effect.ts'
import type { Commit } from '../../core/model/ids.ts'
import type { Problem } from '../../core/model/problem.ts'
import type { Checkout, SetupFailed } from '../../ports/workspaces.ts'
import type { WorkspaceContext } from './context.ts'
import { makeTree } from './make-tree.ts'
import { checkoutPlace } from './places.ts'
import { emptyPlace, removePlace } from './remove-place.ts'
import { runInOrder } from './run-commands.ts'

/** Makes a clean checkout of exactly one commit, readied by the setup commands; whatever was there is removed first. */
export async function checkOut(
  context: WorkspaceContext,
  name: string,
  commit: Commit,
  { setup, setupMs }: CheckoutSetting,
  signal: AbortSignal,
): Promise<Checkout | SetupFailed | Problem> {
  const place = checkoutPlace(context.home, name)
  const discard = async () => {
    const failed = (await emptyPlace(context, place)) ?? (await removePlace(place))
    if (failed !== null) context.note(failed.message)
  }
  const failed =
    (await makeTree(context, place, { commit, branch: null }, signal)) ??
    (await runInOrder(context, place, setup, setupMs, signal))
  if (failed === null) return { kind: 'checkout', folder: place.tree, discard }
  await discard()
  return failed
}
