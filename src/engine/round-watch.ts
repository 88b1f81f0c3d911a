import { durationText } from '../core/limits/duration-text.ts'
import {
  ACTIVITY_PAUSE_MS,
  HEARTBEAT_MS,
  QUIET_NOTICE_MS,
  SIGN_PAUSE_MS,
  TOOL_PATIENCE,
} from '../core/limits/limits.ts'
import type { Activity } from '../core/model/activity.ts'
import type { RoundOrder } from '../core/model/effect.ts'
import type { AttemptInput } from '../core/model/input.ts'
import type { RoundEnd } from '../core/model/round.ts'
import { activityWord } from '../core/views/activity.ts'
import type { AgentEvent } from '../ports/agent-driver.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'

export interface RoundWatchOptions {
  readonly ports: Pick<EnginePorts, 'clock' | 'activities'>
  readonly order: Pick<RoundOrder, 'attempt' | 'round' | 'silenceMs'>
  post(input: AttemptInput): void
  /** Called when the agent has been silent for too long. */
  onTimeout(): void
}

/** Watches the output of one round: publishes its activity, reports silence, and stops a round that stays silent. */
export class RoundWatch {
  readonly #options: RoundWatchOptions
  #activity: Activity = { kind: 'waiting' }
  #since: number
  #lastSignAt: number
  #publishedAt = 0
  #signs = 0
  #timersSetAt = 0
  #timersPatience = 1
  #isTimedOut = false
  #cancelPublish: () => void = () => {}
  #cancelNotice: () => void = () => {}
  #cancelStop: () => void = () => {}

  constructor(options: RoundWatchOptions) {
    this.#options = options
    const now = options.ports.clock.now()
    this.#since = now
    this.#lastSignAt = now
    this.#publish()
    this.#setTimers()
  }

  onEvent(event: AgentEvent): void {
    const isRetrying = event.kind === 'activity' && event.activity.kind === 'retrying'
    const wasRetrying = this.#activity.kind === 'retrying'
    if (event.kind === 'activity') this.#setActivity(event.activity)
    // Retries are no progress, nor is output about them.
    if (isRetrying || (wasRetrying && event.kind === 'raw')) return
    this.#signs += 1
    this.#lastSignAt = this.#options.ports.clock.now()
    // Absolute, because the clock may have been set back.
    const isSoon = Math.abs(this.#lastSignAt - this.#timersSetAt) < SIGN_PAUSE_MS
    if (!isSoon || this.#patience !== this.#timersPatience) this.#setTimers()
  }

  stop(): void {
    this.#cancelPublish()
    this.#cancelNotice()
    this.#cancelStop()
    this.#options.ports.activities.forget(this.#options.order.attempt)
  }

  /** Returns the real end of a round that timed out because its model could not be reached, or null. */
  endOverride(): RoundEnd | null {
    if (!this.#isTimedOut || this.#activity.kind !== 'retrying') return null
    const detail = `the model did not answer for ${durationText(this.#silenceMs)} in spite of retries`
    return { kind: 'overloaded', detail, claim: null, resetAt: null, note: null }
  }

  get #silenceMs(): number {
    return this.#options.order.silenceMs * this.#patience
  }

  get #patience(): number {
    return this.#activity.kind === 'tool' ? TOOL_PATIENCE : 1
  }

  #setActivity(activity: Activity): void {
    const isChange = activityWord(activity) !== activityWord(this.#activity)
    this.#activity = activity
    if (!isChange) return
    const { clock } = this.#options.ports
    this.#since = clock.now()
    this.#cancelPublish()
    this.#cancelPublish = clock.after(Math.max(0, this.#publishedAt + ACTIVITY_PAUSE_MS - this.#since), () =>
      this.#publish(),
    )
  }

  /** Publishes the activity now and with every heartbeat. */
  #publish(): void {
    const { ports, order } = this.#options
    this.#publishedAt = ports.clock.now()
    ports.activities.show({
      attempt: order.attempt,
      round: order.round,
      activity: this.#activity,
      since: this.#since,
      heardAt: this.#lastSignAt,
      signs: this.#signs,
      at: this.#publishedAt,
    })
    this.#cancelPublish = ports.clock.after(HEARTBEAT_MS, () => this.#publish())
  }

  #setTimers(): void {
    const { clock } = this.#options.ports
    const noticeMs = QUIET_NOTICE_MS * this.#patience
    this.#timersSetAt = clock.now()
    this.#timersPatience = this.#patience
    this.#cancelNotice()
    this.#cancelStop()
    this.#cancelStop = clock.after(this.#silenceMs, () => this.#timeOut())
    if (noticeMs < this.#silenceMs) this.#cancelNotice = clock.after(noticeMs, () => this.#reportSilence(noticeMs))
  }

  #reportSilence(silentMs: number): void {
    this.#options.post({ kind: 'quiet', silentMs, activity: activityWord(this.#activity) })
  }

  #timeOut(): void {
    this.#isTimedOut = true
    this.#options.onTimeout()
  }
}
