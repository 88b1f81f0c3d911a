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
  say(input: AttemptInput): void
  /** Ends a round that has been silent for too long. */
  stop(): void
}

/** Watches one round for signs of life: shows them to other processes, tells of silence, and ends it after too much. */
export class RoundWatch {
  readonly #options: RoundWatchOptions
  #activity: Activity = { kind: 'waiting' }
  #since: number
  #heardAt: number
  #shownAt = 0
  #signs = 0
  #waitsSince = 0
  #waitsWith = 1
  #isStopped = false
  #cancelShow: () => void = () => {}
  #cancelNotice: () => void = () => {}
  #cancelStop: () => void = () => {}

  constructor(options: RoundWatchOptions) {
    this.#options = options
    const now = options.ports.clock.now()
    this.#since = now
    this.#heardAt = now
    this.#beat()
    this.#waitForSigns()
  }

  heard(event: AgentEvent): void {
    const isTrying = event.kind === 'activity' && event.activity.kind === 'retrying'
    const wasTrying = this.#activity.kind === 'retrying'
    if (event.kind === 'activity') this.#does(event.activity)
    // An agent that only tries again makes no progress, whatever it says about it.
    if (isTrying || (wasTrying && event.kind === 'raw')) return
    this.#signs += 1
    this.#heardAt = this.#options.ports.clock.now()
    // A clock that was set back is no reason to wait less.
    const isSoon = Math.abs(this.#heardAt - this.#waitsSince) < SIGN_PAUSE_MS
    if (!isSoon || this.#patience !== this.#waitsWith) this.#waitForSigns()
  }

  over(): void {
    this.#cancelShow()
    this.#cancelNotice()
    this.#cancelStop()
    this.#options.ports.activities.forget(this.#options.order.attempt)
  }

  /** How the round ended where that is not what the agent says: it was stopped while a model was out of reach. */
  instead(): RoundEnd | null {
    if (!this.#isStopped || this.#activity.kind !== 'retrying') return null
    const detail = `the model has not answered for ${this.#silenceMs / 1000} s, and was asked again and again`
    return { kind: 'overloaded', detail, claim: null, resetAt: null, note: null }
  }

  get #silenceMs(): number {
    return this.#options.order.silenceMs * this.#patience
  }

  get #patience(): number {
    return this.#activity.kind === 'tool' ? TOOL_PATIENCE : 1
  }

  #does(activity: Activity): void {
    const isNews = activityWord(activity) !== activityWord(this.#activity)
    this.#activity = activity
    if (!isNews) return
    const { clock } = this.#options.ports
    this.#since = clock.now()
    this.#cancelShow()
    this.#cancelShow = clock.after(Math.max(0, this.#shownAt + ACTIVITY_PAUSE_MS - this.#since), () => this.#beat())
  }

  /** Shows how things stand, now and with every heartbeat. */
  #beat(): void {
    const { ports, order } = this.#options
    this.#shownAt = ports.clock.now()
    ports.activities.show({
      attempt: order.attempt,
      round: order.round,
      activity: this.#activity,
      since: this.#since,
      heardAt: this.#heardAt,
      signs: this.#signs,
      at: this.#shownAt,
    })
    this.#cancelShow = ports.clock.after(HEARTBEAT_MS, () => this.#beat())
  }

  #waitForSigns(): void {
    const { clock } = this.#options.ports
    const noticeMs = QUIET_NOTICE_MS * this.#patience
    this.#waitsSince = clock.now()
    this.#waitsWith = this.#patience
    this.#cancelNotice()
    this.#cancelStop()
    this.#cancelStop = clock.after(this.#silenceMs, () => this.#stop())
    if (noticeMs < this.#silenceMs) this.#cancelNotice = clock.after(noticeMs, () => this.#notice(noticeMs))
  }

  #notice(silentMs: number): void {
    this.#options.say({ kind: 'quiet', silentMs, activity: activityWord(this.#activity) })
  }

  #stop(): void {
    this.#isStopped = true
    this.#options.stop()
  }
}
