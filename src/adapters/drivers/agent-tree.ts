import type { Survivor } from '../../process/end/end-tree.ts'
import type { Launched } from '../../process/start/launch.ts'

/** Process tree of an agent; it ends once, at the latest with the agent itself. */
export interface AgentTree {
  end(): void
  /** Ends the tree unless the agent exits by itself within the grace period. */
  endSoon(): void
  /** Resolves when the tree has ended, to the processes that could not be ended. */
  readonly survivors: Promise<readonly Survivor[]>
}

const GRACE_MS = 2_000

/** Tracks the process tree of a launched agent. */
export function agentTree(launched: Launched): AgentTree {
  let timer: NodeJS.Timeout | undefined
  let resolveWith: (survivors: Promise<readonly Survivor[]>) => void
  let isEnding = false
  const survivors = new Promise<readonly Survivor[]>((resolve) => {
    resolveWith = resolve
  })
  const end = (): void => {
    clearTimeout(timer)
    if (!isEnding) resolveWith(launched.end(GRACE_MS))
    isEnding = true
  }
  const endSoon = (): void => {
    if (!isEnding) timer ??= setTimeout(end, GRACE_MS)
  }
  void launched.ended.then(end)
  return { end, endSoon, survivors }
}
