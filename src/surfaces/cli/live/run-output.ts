import { jsonEvent, liveLine } from '../render/render-event.ts'
import type { AnnouncedEvent } from '../repository/announcing-store.ts'
import type { AskRun } from '../repository/drive-here.ts'
import type { Terminal } from '../terminal.ts'
import type { TypedArguments, VerbContext } from '../verb.ts'
import type { World } from '../world.ts'

/** Output of a run while it is driven or followed. */
export interface RunOutput {
  /** World of the run; a live view adds its keys to the signals. */
  readonly world: World
  /** Called once the run accepts requests. */
  open(ask: AskRun): void
  announce(event: AnnouncedEvent): void
  /** Shows a message about the program itself. */
  say(text: string): void
  /** Releases the streams. */
  close(): void
}

/** Prints a run line by line, for pipes and --plain. */
export function plainRunOutput({ world, output }: VerbContext): RunOutput {
  const printed = new Set<string>()
  const isRepeated = ({ event }: AnnouncedEvent) =>
    PRINTED_ONCE.has(event.kind) && printed.size === printed.add(event.kind).size
  return {
    world,
    open() {},
    announce(event) {
      output.json(jsonEvent(event))
      const line = output.isJson || isRepeated(event) ? null : liveLine(event, output.colors)
      if (line !== null) output.line(line)
    },
    say: (text) => output.remark(text),
    close() {},
  }
}

// True of the agent, so each session would repeat it.
const PRINTED_ONCE: ReadonlySet<string> = new Set(['context-untracked'])

/** Returns the terminal for a live view, or null when lines are requested or there is no terminal. */
export function viewTerminal({ world, output }: VerbContext, { options }: TypedArguments): Terminal | null {
  const { CI = '', TERM } = world.environment
  const isPlain = options.plain === true || output.isJson || CI !== '' || TERM === 'dumb'
  return isPlain ? null : world.terminal()
}
