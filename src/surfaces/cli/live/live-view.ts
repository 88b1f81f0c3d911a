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
  readonly place: Repository
  readonly state: State
  readonly run: RunId
  readonly seat: Seat
  isDriven(): Promise<boolean>
  /** The run to show when this one has ended: a newer one, or the same. */
  newestRun(): Promise<RunId>
  /** Asks something of the run; answers with what there is to say about it. */
  ask(request: Request): Promise<string>
  /** Ctrl-C was pressed. */
  interrupted(): void
  /** The person has left, or nobody is there any more. */
  left(): void
}

const FRAME_MS = 250
const KEY_FRAME_MS = 30
const TICK_MS = 1_000
const SLOW_MS = 5_000
const ACTIVITIES_MS = 500

/** A screen that shows a run as it goes on, until it is closed. */
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
  #due: { readonly at: number; readonly callOff: () => void } | null = null
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

  /** Something may have been recorded. */
  wake(): void {
    this.#drawBy(Math.max(0, this.#drawnAt + FRAME_MS - this.#now()))
  }

  /** Shows a text until the next one. */
  say(text: string): void {
    this.#notice = { text, tone: 'warn', until: Number.POSITIVE_INFINITY }
    this.#drawBy(0)
  }

  /** Gives the terminal back. */
  close(): void {
    this.#isOpen = false
    this.#due?.callOff()
    this.#screen.close()
  }

  #now(): number {
    return this.#options.world.clock.now()
  }

  /** Draws within so many milliseconds. */
  #drawBy(ms: number): void {
    const at = this.#now() + ms
    if (!this.#isOpen || (this.#due !== null && this.#due.at <= at)) return
    this.#due?.callOff()
    const callOff = this.#options.world.clock.after(ms, () => void this.#draw())
    this.#due = { at, callOff }
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
    if (this.#followed.run.endedAt !== null) await this.#turnToNewest()
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

  async #turnToNewest(): Promise<void> {
    const newest = await this.#options.newestRun()
    if (newest === this.#followed.id) return
    this.#followed = this.#follow(newest)
    this.#slow = null
    this.#ui = FRESH_UI
    await this.#followed.catchUp()
  }

  /** An engine tells them anew at most so often; reading them opens a file for each. */
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
    const tail = attempt === null ? null : await this.#options.place.transcriptTail(attempt)
    return transcriptPage(attempt, tail, columns)
  }

  #story(task: TaskId, width: number): Promise<readonly ScreenLine[]> {
    const { world, place, state, colors } = this.#options
    if (this.#page?.task !== task) this.#page = new StoryPage(this.#followed, task)
    return this.#page.lines(world, place, state, { colors, width, receipts: 'short', notes: 'whole' })
  }

  #latestAttempt(task: TaskId): AttemptId | null {
    const record = this.#followed.run.tasks.get(task)
    return record?.live ?? record?.landed?.attempt ?? record?.last?.attempt ?? null
  }

  #pressed(key: PlainKey): void {
    if (this.#model === null || this.#frame === null) return
    const { height, length } = this.#frame
    const { ui, wish } = press(this.#ui, key, { model: this.#model, height, length })
    this.#ui = ui
    if (wish !== null) this.#grant(wish)
    this.#drawBy(KEY_FRAME_MS)
  }

  #grant(wish: UserAction): void {
    if (wish.kind === 'leave') this.#options.left()
    else if (wish.kind === 'remark') this.#remark(wish.text, 'dim')
    else void this.#ask(wish)
  }

  async #ask(request: Request): Promise<void> {
    this.#remark('Asking …', 'dim')
    this.#remark(await this.#options.ask(request).catch((cause: unknown) => String(cause)), 'plain')
    this.wake()
  }

  /** Shows a text for a while; what has to be seen stays. */
  #remark(text: string, tone: Tone): void {
    const isTaken = this.#notice?.until === Number.POSITIVE_INFINITY
    if (!isTaken) this.#notice = { text, tone, until: this.#now() + REMARK_MS }
  }
}

interface Notice {
  readonly text: string
  readonly tone: Tone
  readonly until: number
}

const REMARK_MS = 8_000
