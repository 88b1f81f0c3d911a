import type { Survivor } from '../../process/end-tree.ts'
import type { Launched } from '../../process/launch.ts'

/** An agent's processes: ended once, at the latest with the agent itself. */
export interface AgentTree {
  end(): void
  /** Ends them unless the agent ends by itself within the grace. */
  endSoon(): void
  readonly gone: Promise<readonly Survivor[]>
}

const GRACE_MS = 2_000

/** The processes of a launched agent. */
export function agentTree(launched: Launched): AgentTree {
  let timer: NodeJS.Timeout | undefined
  let begin: (survivors: Promise<readonly Survivor[]>) => void
  let isEnding = false
  const gone = new Promise<readonly Survivor[]>((resolve) => {
    begin = resolve
  })
  const end = (): void => {
    clearTimeout(timer)
    if (!isEnding) begin(launched.end(GRACE_MS))
    isEnding = true
  }
  const endSoon = (): void => {
    if (!isEnding) timer ??= setTimeout(end, GRACE_MS)
  }
  void launched.ended.then(end)
  return { end, endSoon, gone }
}
