import type { AttemptId, RunId, TaskId } from '../../../core/model/ids.ts'
import type { Request } from '../../../core/model/input.ts'
import { type LiveModel, liveModel, type SlowParts, slowParts } from '../../../core/views/live/live-model.ts'
import type { Repository, State } from '../../../ports/repository.ts'
import type { Output } from '../output.ts'
import { timeFormatter } from '../render/times.ts'
import type { Terminal } from '../terminal.ts'
import type { World } from '../world.ts'
import { FollowedRun } from './follow-run.ts'
import { composeFrame, type Frame } from './frame.ts'
import { helpPage, type Seat } from './help.ts'
import { RecentFacts } from './recent-facts.ts'
import { openScreen, type Screen } from './screen.ts'
import type { ScreenLine, Tone } from './spans.ts'
import { StoryPage } from './story-page.ts'
import { transcriptPage } from './transcript-page.ts'
import { FRESH_UI, type PlainKey, press, type Ui, type UserAction } from './ui.ts'

export interface LiveOptions {
  readonly world: World
  readonly terminal: Terminal
  readonly colors: Output['colors']
  readonly repository: Repository
  readonly state: State
  readonly run: RunId
  readonly seat: Seat
  isDriven(): Promise<boolean>
  /** Returns the run to show when this one has ended: a newer one, or the same. */
  newestRun(): Promise<RunId>
  /** Sends a request to the run; returns the answer for the person. */
  ask(request: Request): Promise<string>
  /** Called for Ctrl-C. */
  interrupted(): void
  /** Called when the person leaves the view or the terminal is gone. */
  left(): void
}

const FRAME_MS = 250
const KEY_FRAME_MS = 30
const TICK_MS = 1_000
const SLOW_MS = 5_000
const ACTIVITIES_MS = 500

/** Live view of a run on a screen, until it is closed. */
export class LiveView {
  readonly #options: LiveOptions
  #followed: FollowedRun
  readonly #recent = new RecentFacts()
  readonly #screen: Screen
  #ui: Ui = FRESH_UI
  #notice: Notice | null = null
  #model: LiveModel | null = null
  #frame: Frame | null = null
  #slow: { readonly parts: SlowParts; readonly seq: number; readonly at: number } | null = null
  #activities: { readonly read: ReturnType<State['activities']['read']>; readonly at: number } | null = null
  #page: StoryPage | null = null
  #isDriven = true
  #drawnAt = 0
  #due: { readonly at: number; readonly cancel: () => void } | null = null
  #isDrawing = false
  #isOpen = true

  constructor(options: LiveOptions) {
    this.#options = options
    this.#followed = this.#follow(options.run)
    this.#screen = openScreen(options.terminal, options.colors, {
      pressed: (key) => this.#pressed(key),
      interrupted: () => options.interrupted(),
      resized: () => this.#drawBy(KEY_FRAME_MS),
      lost: () => options.left(),
    })
    this.#drawBy(0)
  }

  /** Redraws soon, because events may have been recorded. */
  wake(): void {
    this.#drawBy(Math.max(0, this.#drawnAt + FRAME_MS - this.#now()))
  }

  /** Shows a text until the next one. */
  say(text: string): void {
    this.#notice = { text, tone: 'warn', until: Number.POSITIVE_INFINITY }
    this.#drawBy(0)
  }

  /** Restores the terminal. */
  close(): void {
    this.#isOpen = false
    this.#due?.cancel()
    this.#screen.close()
  }

  #now(): number {
    return this.#options.world.clock.now()
  }

  /** Draws within `ms` milliseconds. */
  #drawBy(ms: number): void {
    const at = this.#now() + ms
    if (!this.#isOpen || (this.#due !== null && this.#due.at <= at)) return
    this.#due?.cancel()
    const cancel = this.#options.world.clock.after(ms, () => void this.#draw())
    this.#due = { at, cancel }
  }

  async #draw(): Promise<void> {
    this.#due = null
    if (this.#isDrawing) return this.#drawBy(KEY_FRAME_MS)
    this.#isDrawing = true
    try {
      await this.#look()
      if (this.#isOpen) await this.#show()
    } catch (cause) {
      this.#remark(`The state cannot be read: ${String(cause)}`, 'bad')
    } finally {
      this.#isDrawing = false
      this.#drawnAt = this.#now()
      this.#drawBy(TICK_MS - (this.#drawnAt % TICK_MS))
    }
  }

  #follow(run: RunId): FollowedRun {
    return new FollowedRun(this.#options.state.store, run, (event) => this.#recent.take(event))
  }

  async #look(): Promise<void> {
    await this.#followed.catchUp()
    if (this.#followed.run.endedAt !== null) await this.#switchToNewestRun()
    const at = this.#now()
    if (at - this.#drawnAt >= FRAME_MS) this.#isDriven = await this.#options.isDriven()
    const { run, pace, attempts, seq } = this.#followed
    const activities = this.#currentActivities(at)
    const sources = { run, pace, attempts, activities, at, isDriven: this.#isDriven, formatTime: timeFormatter(at) }
    if (this.#slow === null || this.#slow.seq !== seq || at - this.#slow.at >= SLOW_MS) {
      this.#slow = { parts: slowParts(sources), seq, at }
    }
    this.#model = liveModel(sources, this.#slow.parts)
  }

  async #switchToNewestRun(): Promise<void> {
    const newest = await this.#options.newestRun()
    if (newest === this.#followed.id) return
    this.#followed = this.#follow(newest)
    this.#slow = null
    this.#ui = FRESH_UI
    await this.#followed.catchUp()
  }

  /** Returns the activities, read at most this often: each is a file, and engines write them no more often. */
  #currentActivities(at: number): ReturnType<State['activities']['read']> {
    if (this.#activities === null || at - this.#activities.at >= ACTIVITIES_MS) {
      this.#activities = { read: this.#options.state.activities.read(), at }
    }
    return this.#activities.read
  }

  async #show(): Promise<void> {
    const model = this.#model
    if (model === null) return
    if (this.#notice !== null && this.#notice.until < this.#now()) this.#notice = null
    const size = this.#screen.size()
    const page = await this.#pageLines(model, size.columns)
    const scene = { model, page, ui: this.#ui, notice: this.#notice, recent: this.#recent.shown() }
    this.#frame = composeFrame(scene, size)
    if (this.#ui.page.kind === 'tasks') this.#ui = { ...this.#ui, top: this.#frame.top }
    this.#screen.draw(this.#frame.lines)
  }

  async #pageLines(model: LiveModel, columns: number): Promise<readonly ScreenLine[]> {
    const { page, chosen } = this.#ui
    if (page.kind === 'help') return helpPage(this.#options.seat, model, columns)
    if (page.kind === 'tasks' || chosen === null) return []
    if (page.kind === 'task') return this.#story(chosen, columns)
    const attempt = this.#latestAttempt(chosen)
    const tail = attempt === null ? null : await this.#options.repository.transcriptTail(attempt)
    return transcriptPage(attempt, tail, columns)
  }

  #story(task: TaskId, width: number): Promise<readonly ScreenLine[]> {
    const { world, repository, state, colors } = this.#options
    if (this.#page?.task !== task) this.#page = new StoryPage(this.#followed, task)
    return this.#page.lines(world, repository, state, { colors, width, receipts: 'short', notes: 'whole' })
  }

  #latestAttempt(task: TaskId): AttemptId | null {
    const record = this.#followed.run.tasks.get(task)
    return record?.live ?? record?.landed?.attempt ?? record?.last?.attempt ?? null
  }

  #pressed(key: PlainKey): void {
    if (this.#model === null || this.#frame === null) return
    const { height, length } = this.#frame
    const { ui, action } = press(this.#ui, key, { model: this.#model, height, length })
    this.#ui = ui
    if (action !== null) this.#perform(action)
    this.#drawBy(KEY_FRAME_MS)
  }

  #perform(action: UserAction): void {
    if (action.kind === 'leave') this.#options.left()
    else if (action.kind === 'remark') this.#remark(action.text, 'dim')
    else void this.#ask(action)
  }

  async #ask(request: Request): Promise<void> {
    this.#remark('Sending …', 'dim')
    this.#remark(await this.#options.ask(request).catch((cause: unknown) => String(cause)), 'plain')
    this.wake()
  }

  /** Shows a text for a while, unless a lasting notice is shown. */
  #remark(text: string, tone: Tone): void {
    const isLasting = this.#notice?.until === Number.POSITIVE_INFINITY
    if (!isLasting) this.#notice = { text, tone, until: this.#now() + REMARK_MS }
  }
}

interface Notice {
  readonly text: string
  readonly tone: Tone
  readonly until: number
}

const REMARK_MS = 8_000
