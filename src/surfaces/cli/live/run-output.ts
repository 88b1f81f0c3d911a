import { jsonEvent, liveLine } from '../render/render-event.ts'
import type { AnnouncedEvent } from '../repository/announcing-store.ts'
import type { AskRun } from '../repository/drive-here.ts'
import type { Terminal } from '../terminal.ts'
import type { TypedArguments, VerbContext } from '../verb.ts'
import type { World } from '../world.ts'

/** How a run is told while it goes on. */
export interface RunOutput {
  /** The world in which it goes on: a view has keys of its own. */
  readonly world: World
  /** The run has begun, and can be asked. */
  open(ask: AskRun): void
  heard(event: AnnouncedEvent): void
  /** Something about the program itself. */
  say(text: string): void
  /** From here on, the streams are free for others. */
  close(): void
}

/** Line by line, for pipes and for people who want it so. */
export function plainRunOutput({ world, output }: VerbContext): RunOutput {
  return {
    world,
    open() {},
    heard(event) {
      output.json(jsonEvent(event))
      const line = output.isJson ? null : liveLine(event, output.colors)
      if (line !== null) output.line(line)
    },
    say: (text) => output.remark(text),
    close() {},
  }
}

/** The terminal that a view may take over; null: lines are wanted, or nobody is there to look. */
export function viewTerminal({ world, output }: VerbContext, { options }: TypedArguments): Terminal | null {
  const { CI = '', TERM } = world.environment
  const isPlain = options.plain === true || output.isJson || CI !== '' || TERM === 'dumb'
  return isPlain ? null : world.terminal()
}
