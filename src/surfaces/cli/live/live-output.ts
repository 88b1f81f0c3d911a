import type { RunId } from '../../../core/model/ids.ts'
import type { OpenRepository } from '../repository/open-repository.ts'
import type { Terminal } from '../terminal.ts'
import type { VerbContext } from '../verb.ts'
import type { World } from '../world.ts'
import { answerText } from './answer-text.ts'
import { LiveView } from './live-view.ts'
import { plainRunOutput, type RunOutput } from './run-output.ts'

/** Tells a run that this process drives on a screen; line by line once the person has left it. */
export function liveTelling(
  context: VerbContext,
  { state, place }: OpenRepository,
  run: RunId,
  terminal: Terminal,
): RunOutput {
  const { world, output } = context
  const plain = plainRunOutput(context)
  const interrupts = new Set<() => void>()
  const said: string[] = []
  let view: LiveView | null = null
  let callOff = () => {}
  const close = () => {
    callOff()
    view?.close()
    view = null
    // What was said on the screen is gone with it.
    for (const text of said.splice(0)) plain.say(text)
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
        place,
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
      callOff = terminal.onExit(close)
    },
    heard(event) {
      if (view === null) plain.heard(event)
      else view.wake()
    },
    say(text) {
      if (view === null) return plain.say(text)
      said.push(text)
      view.say(text)
    },
    close,
  }
}

const LEFT = 'The view is closed; the run goes on. Ctrl-C finishes it in stages; "longhaul watch" shows it again.'

/** The same world, in which Ctrl-C is a key as well as a signal. */
function withInterrupts(world: World, interrupts: Set<() => void>): World {
  return {
    ...world,
    onSignal(signal, heard) {
      const callOff = world.onSignal(signal, heard)
      if (signal === 'SIGINT') interrupts.add(heard)
      return () => {
        interrupts.delete(heard)
        callOff()
      }
    },
  }
}
