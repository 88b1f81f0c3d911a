import type { CheckoutSetting } from '../../core/model/effect.ts'
import type { Commit } from '../../core/model/ids.ts'
import type { Problem } from '../../core/model/problem.ts'
import type { Checkout, SetupFailed } from '../../ports/workspaces.ts'
import { checkoutPaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { makeTree } from './make-tree.ts'
import { emptyClone, removeClone } from './remove-clone.ts'
import { runInOrder } from './run-commands.ts'

/** Makes a clean checkout of exactly one commit and runs the setup commands; replaces an earlier checkout of that name. */
export async function checkOut(
  context: WorkspaceContext,
  name: string,
  commit: Commit,
  { setup, setupMs }: CheckoutSetting,
  signal: AbortSignal,
): Promise<Checkout | SetupFailed | Problem> {
  const clone = checkoutPaths(context.home, name)
  const discard = async () => {
    const failed = (await emptyClone(context, clone)) ?? (await removeClone(clone))
    if (failed !== null) context.note(failed.message)
  }
  const failed =
    (await makeTree(context, clone, { commit, branch: null }, signal)) ??
    (await runInOrder(context, clone, setup, setupMs, signal))
  if (failed === null) return { kind: 'checkout', folder: clone.tree, discard }
  await discard()
  return failed
}
