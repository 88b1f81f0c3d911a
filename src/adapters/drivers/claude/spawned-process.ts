import { EventEmitter } from 'node:events'
import type { SpawnedProcess } from '@anthropic-ai/claude-agent-sdk'
import type { Launched } from '../../../process/start/launch.ts'
import type { AgentTree } from '../agent-tree.ts'
import { PartialMessageFilter } from './partial-message-filter.ts'

/** Adapts a launched program to the SDK's interface; a kill ends its whole tree. */
export function toSpawnedProcess(launched: Launched, tree: AgentTree, onPartial: () => void): SpawnedProcess {
  const { stdin } = launched
  const stdout = launched.stdout.pipe(new PartialMessageFilter(onPartial))
  // When we close the pipe, it emits no end event.
  launched.stdout.once('close', () => stdout.end())
  if (stdin === null) throw new Error('The agent has no stdin.')
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
    on: (event: string, listener: (...args: never[]) => void) => void events.on(event, listener as () => void),
    once: (event: string, listener: (...args: never[]) => void) => void events.once(event, listener as () => void),
    off: (event: string, listener: (...args: never[]) => void) => void events.off(event, listener as () => void),
  }
}
