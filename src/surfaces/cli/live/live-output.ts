import type { RunId } from '../../../core/model/ids.ts'
import type { OpenRepository } from '../repository/open-repository.ts'
import type { Terminal } from '../terminal.ts'
import type { VerbContext } from '../verb.ts'
import type { World } from '../world.ts'
import { answerText } from './answer-text.ts'
import { LiveView } from './live-view.ts'
import { plainRunOutput, type RunOutput } from './run-output.ts'

/** Shows a run that this process drives in a live view, and line by line once the view is closed. */
export function liveRunOutput(
  context: VerbContext,
  { state, repository }: OpenRepository,
  run: RunId,
  terminal: Terminal,
): RunOutput {
  const { world, output } = context
  const plain = plainRunOutput(context)
  const interrupts = new Set<() => void>()
  const notices: string[] = []
  let view: LiveView | null = null
  let cancelOnExit = () => {}
  const close = () => {
    cancelOnExit()
    view?.close()
    view = null
    // Notices are gone with the screen, so they are repeated as lines.
    for (const text of notices.splice(0)) plain.say(text)
  }
  const leave = () => {
    close()
    output.line(LEFT)
  }
  return {
    world: withInterrupts(world, interrupts),
    open(ask) {
      view = new LiveView({
        world,
        terminal,
        colors: output.colors,
        repository,
        state,
        run,
        seat: 'run',
        isDriven: async () => true,
        newestRun: async () => run,
        ask: async (request) => answerText(request, await ask(request)),
        interrupted() {
          for (const interrupt of interrupts) interrupt()
        },
        left: leave,
      })
      cancelOnExit = terminal.onExit(close)
    },
    announce(event) {
      if (view === null) plain.announce(event)
      else view.wake()
    },
    say(text) {
      if (view === null) return plain.say(text)
      notices.push(text)
      view.say(text)
    },
    close,
  }
}

const LEFT = 'The view is closed; the run continues. Ctrl-C stops it in stages; "longhaul watch" shows it again.'

/** Adds Ctrl-C as a key to the world's signals. */
function withInterrupts(world: World, interrupts: Set<() => void>): World {
  return {
    ...world,
    onSignal(signal, listener) {
      const stopListening = world.onSignal(signal, listener)
      if (signal === 'SIGINT') interrupts.add(listener)
      return () => {
        interrupts.delete(listener)
        stopListening()
      }
    },
  }
}
