import { RESTART_PAUSE_MS, TROUBLE_DELAY_MS, TROUBLE_TRIES_MAX } from '../core/limits/limits.ts'
import { diskProblem } from '../core/model/disk-problem.ts'
import type { EffectBase } from '../core/model/effect.ts'
import { carriedProblem, isMachineWide, isProblem, type Problem, problem } from '../core/model/problem.ts'
import type { Clock } from '../ports/clock.ts'
import type { EffectResult } from './effect-result.ts'

/** Effects that may start: none, all, or only those that save work. */
export type EngineMode = 'recording' | 'driving' | 'draining'

export interface RunningEffectsOptions<Effect extends EffectBase, Report> {
  readonly clock: Clock
  perform(effect: Effect, signal: AbortSignal): Promise<EffectResult<Report> | null>
  troubleReport(problem: Problem): Report
  /** Called when an effect has ended by itself. */
  onResult(effect: Effect, result: EffectResult<Report>): void
  /** Called when another effect may be able to start. */
  onFree(): void
  /** Called for problems of the machine, such as a full disk: everything has to stop. */
  onHalt(problem: Problem): void
}

interface RunningEffect<Effect> {
  readonly effect: Effect
  readonly controller: AbortController
  readonly finished: Promise<void>
}

/** Starts effects that are due and cancels those that no longer are. */
export class RunningEffects<Effect extends EffectBase, Report> {
  readonly #options: RunningEffectsOptions<Effect, Report>
  readonly #running = new Map<string, RunningEffect<Effect>>()
  readonly #coolingDown = new Set<string>()

  constructor(options: RunningEffectsOptions<Effect, Report>) {
    this.#options = options
  }

  /** Makes the running effects match the due ones, with at most one running in each room. */
  reconcile(due: readonly Effect[], mode: EngineMode): void {
    const dueIds = new Set(due.map((effect) => effect.id))
    for (const [id, { controller }] of this.#running) if (!dueIds.has(id)) controller.abort()
    if (mode === 'recording') return
    for (const effect of due) {
      const mayStart = mode === 'driving' || effect.saves
      if (mayStart && !this.#coolingDown.has(effect.id) && !this.#isOccupied(effect.room)) this.#start(effect)
    }
  }

  get isIdle(): boolean {
    return this.#running.size === 0
  }

  /** Cancels some effects; those still due start again later if they are repeatable. */
  abort(matches: (effect: Effect) => boolean): void {
    for (const { effect, controller } of this.#running.values()) if (matches(effect)) controller.abort()
  }

  /** Waits until no effect is running. */
  async finished(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ finished }) => finished))
  }

  #isOccupied(room: string): boolean {
    for (const { effect } of this.#running.values()) if (effect.room === room) return true
    return false
  }

  #start(effect: Effect): void {
    const controller = new AbortController()
    const finished = this.#perform(effect, controller.signal).then((result) => {
      this.#running.delete(effect.id)
      if (!controller.signal.aborted) this.#coolDown(effect.id)
      if (result !== null && !controller.signal.aborted) this.#options.onResult(effect, result)
      this.#options.onFree()
    })
    this.#running.set(effect.id, { effect, controller, finished })
  }

  /** Delays the restart of an effect that ended but is still due, so that it cannot spin. */
  #coolDown(id: string): void {
    this.#coolingDown.add(id)
    this.#options.clock.after(RESTART_PAUSE_MS, () => {
      this.#coolingDown.delete(id)
      this.#options.onFree()
    })
  }

  /** Performs an effect, retrying a repeatable one a few times before its problem is reported. */
  async #perform(effect: Effect, signal: AbortSignal): Promise<EffectResult<Report> | null> {
    for (let tries = 1; ; tries += 1) {
      const result = await this.#try(effect, signal)
      if (!isProblem(result)) return result
      if (isMachineWide(result)) {
        this.#options.onHalt(result)
        return null
      }
      const mayRetry = effect.class === 'repeatable' && result.retry === 'later' && tries < TROUBLE_TRIES_MAX
      if (!mayRetry || signal.aborted) return { report: this.#options.troubleReport(result) }
      await pause(this.#options.clock, TROUBLE_DELAY_MS * tries, signal)
    }
  }

  async #try(effect: Effect, signal: AbortSignal): Promise<EffectResult<Report> | Problem | null> {
    try {
      return await this.#options.perform(effect, signal)
    } catch (cause) {
      return problemFrom(cause, effect.id)
    }
  }
}

/** Returns the problem that an exception carries, or reports the exception as a bug in `what`. */
export function problemFrom(cause: unknown, what: string): Problem {
  const carried = carriedProblem(cause)
  if (carried !== null) return carried
  const disk = diskProblemIn(cause)
  if (disk !== null) return disk
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
  return problem({
    code: 'unexpected',
    message: `Unexpected error in ${what}: ${text}`,
    hint: 'This is a bug in Longhaul; please report it with this message.',
    retry: 'never',
    cause,
  })
}

function diskProblemIn(cause: unknown): Problem | null {
  const { code, path } = (cause ?? {}) as NodeJS.ErrnoException
  return diskProblem(code ?? '', path ?? 'its files', cause)
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve)
    signal.addEventListener('abort', () => {
      cancel()
      resolve()
    })
  })
}
