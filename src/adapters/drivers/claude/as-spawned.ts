import { EventEmitter } from 'node:events'
import type { SpawnedProcess } from '@anthropic-ai/claude-agent-sdk'
import type { Launched } from '../../../process/launch.ts'
import type { AgentTree } from '../agent-tree.ts'
import { WithoutPieces } from './without-pieces.ts'

/** A launched program as the SDK wants to see it; a kill ends its whole tree. */
export function asSpawned(launched: Launched, tree: AgentTree, pieceCame: () => void): SpawnedProcess {
  const { stdin } = launched
  const stdout = launched.stdout.pipe(new WithoutPieces(pieceCame))
  // Closed from our side it has no end of its own.
  launched.stdout.once('close', () => stdout.end())
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
