import { STOP_GRACE_MS } from '../../core/limits/limits.ts'
import type { RunEngine } from '../../engine/run-engine.ts'
import { EXIT } from './exit-codes.ts'
import type { World } from './world.ts'

export interface Interrupts {
  /** Stage two, unless it has been reached. */
  end(why: string): void
  close(): void
}

/** For verbs that only look or check: Ctrl-C, SIGTERM and SIGHUP call off what is going on. */
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

/** Ctrl-C in three stages: finish rounds, stop rounds, end everything. SIGTERM and SIGHUP are stage two at once. */
export function listenForInterrupts(
  world: World,
  engine: Pick<RunEngine, 'drain' | 'interrupt'>,
  say: (text: string) => void,
): Interrupts {
  let stage = 0
  let cancelTimer: () => void = () => {}
  const kill = () => {
    stage = 3
    say(SAID[3])
    // What agents and checks started ends with this process: bwrap and the guard see to that.
    world.exit(EXIT.interrupted)
  }
  const stop = (why: string) => {
    stage = 2
    say(SAID[2])
    void engine.interrupt(why)
    cancelTimer = world.clock.after(STOP_GRACE_MS, kill)
  }
  const drain = () => {
    stage = 1
    say(SAID[1])
    void engine.drain()
  }
  const interrupted = () => {
    if (stage === 0) drain()
    else if (stage === 1) stop('a person pressed Ctrl-C')
    else kill()
  }
  const end = (why: string) => {
    if (stage < 2) stop(why)
  }
  const closers = [
    world.onSignal('SIGINT', interrupted),
    world.onSignal('SIGTERM', () => end('the engine was told to end (SIGTERM)')),
    world.onSignal('SIGHUP', () => end('its terminal is gone (SIGHUP)')),
  ]
  return {
    end,
    close() {
      cancelTimer()
      for (const close of closers) close()
    },
  }
}

const SAID = {
  1: 'Finishing the rounds that are going on and starting nothing new. Ctrl-C again stops them and saves their work.',
  2: `Stopping rounds and saving their work, for at most ${STOP_GRACE_MS / 1000} s. Ctrl-C again ends everything at once.`,
  3: 'Ending everything at once. What was recorded is safe: "longhaul run" goes on from there.',
} as const
