import { EventEmitter } from 'node:events'
import type { SpawnedProcess } from '@anthropic-ai/claude-agent-sdk'
import type { Survivor } from '../../process/end-tree.ts'
import type { Launched } from '../../process/launch.ts'

/** An agent's processes: ended once, at the latest with the agent itself. */
export interface Tree {
  end(): void
  /** Ends them unless the agent ends by itself within the grace. */
  endSoon(): void
  readonly gone: Promise<readonly Survivor[]>
}

const GRACE_MS = 2_000

/** The processes of a launched agent. */
export function treeOf(launched: Launched): Tree {
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

/** A launched program as the SDK wants to see it; a kill ends its whole tree. */
export function asSpawned(launched: Launched, tree: Tree): SpawnedProcess {
  const { stdin, stdout } = launched
  if (stdin === null) throw new Error('The agent is spoken to through its stdin.')
  const events = new EventEmitter()
  let exitCode: number | null = null
  let signalCode: NodeJS.Signals | null = null
  let killed = false
  void launched.ended.then((ended) => {
    exitCode = ended.exitCode
    signalCode = ended.signal as NodeJS.Signals | null
    events.emit('exit', exitCode, signalCode)
  })
  return {
    stdin,
    stdout,
    get killed() {
      return killed
    },
    get exitCode() {
      return exitCode
    },
    get signalCode() {
      return signalCode
    },
    kill() {
      killed = true
      tree.end()
      return true
    },
    on: (event: string, heard: (...told: never[]) => void) => void events.on(event, heard as () => void),
    once: (event: string, heard: (...told: never[]) => void) => void events.once(event, heard as () => void),
    off: (event: string, heard: (...told: never[]) => void) => void events.off(event, heard as () => void),
  }
}
