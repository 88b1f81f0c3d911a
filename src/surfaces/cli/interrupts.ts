import { durationText } from '../../core/limits/duration-text.ts'
import { STOP_GRACE_MS } from '../../core/limits/limits.ts'
import type { RunEngine } from '../../engine/run-engine.ts'
import { EXIT } from './exit-codes.ts'
import type { World } from './world.ts'

export interface Interrupts {
  /** Enters stage two, unless it has been reached. */
  end(why: string): void
  close(): void
}

/** Returns a signal that Ctrl-C, SIGTERM and SIGHUP abort, for verbs that only read or check. */
export function untilInterrupted(world: Pick<World, 'onSignal'>): { readonly signal: AbortSignal; close(): void } {
  const controller = new AbortController()
  const interrupted = () => controller.abort()
  const closers = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => world.onSignal(name, interrupted))
  return {
    signal: controller.signal,
    close() {
      for (const close of closers) close()
    },
  }
}

/** Handles Ctrl-C in three stages: finish rounds, stop rounds, exit. SIGTERM and SIGHUP start with stage two. */
export function listenForInterrupts(
  world: World,
  engine: Pick<RunEngine, 'drain' | 'interrupt'>,
  say: (text: string) => void,
): Interrupts {
  let stage = 0
  let cancelTimer: () => void = () => {}
  const kill = () => {
    stage = 3
    say(STAGES[3])
    // Processes of agents and checks end with this one: bwrap and the guard make sure of that.
    world.exit(EXIT.interrupted)
  }
  const stop = (why: string, next: string) => {
    stage = 2
    say(`${STAGES[2]}${next}`)
    void engine.interrupt(why)
    cancelTimer = world.clock.after(STOP_GRACE_MS, kill)
  }
  const drain = () => {
    stage = 1
    say(STAGES[1])
    void engine.drain()
  }
  const interrupted = () => {
    if (stage === 0) drain()
    else if (stage === 1) stop('Ctrl-C was pressed twice', ' Ctrl-C again exits immediately.')
    else kill()
  }
  const end = (why: string) => {
    if (stage < 2) stop(why, '')
  }
  const closers = [
    world.onSignal('SIGINT', interrupted),
    world.onSignal('SIGTERM', () => end('the engine received SIGTERM')),
    world.onSignal('SIGHUP', () => end('its terminal was closed (SIGHUP)')),
  ]
  return {
    end,
    close() {
      cancelTimer()
      for (const close of closers) close()
    },
  }
}

const STAGES = {
  1: 'Finishing rounds. Ctrl-C again stops them and saves.',
  2: `Stopping rounds and saving their work, for at most ${durationText(STOP_GRACE_MS)}.`,
  3: 'Exiting immediately. Everything recorded is safe; to continue: longhaul run',
} as const
