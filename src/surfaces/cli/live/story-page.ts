import { runLedger, type TaskId } from '../../../core/model/ids.ts'
import type { RunEvent } from '../../../core/model/run-event.ts'
import type { Repository, State } from '../../../ports/repository.ts'
import type { StoryLook } from '../render/render-attempt.ts'
import { renderStory } from '../render/render-story.ts'
import { readStory, type TaskFound } from '../repository/read-story.ts'
import { taskFilter } from '../repository/task-filter.ts'
import type { World } from '../world.ts'
import type { FollowedRun } from './follow-run.ts'
import { type ScreenLine, span } from './spans.ts'

const FRESH_MS = 2_000
/** Factor of the time that reading took, after which a long story is read again. */
const REST_FACTOR = 10

/** Page of a task's story, refreshed from time to time while it is open. */
export class StoryPage {
  readonly task: TaskId
  readonly #followed: FollowedRun
  readonly #facts: TaskFound['facts'][number][] = []
  readonly #isAbout: ReturnType<typeof taskFilter>
  #seq = 0
  #readAfter = 0
  #shown: { readonly width: number; readonly lines: readonly ScreenLine[] } | null = null

  constructor(followed: FollowedRun, task: TaskId) {
    this.#followed = followed
    this.task = task
    this.#isAbout = taskFilter(task)
  }

  async lines(world: World, repository: Repository, state: State, look: StoryLook): Promise<readonly ScreenLine[]> {
    const width = look.width ?? 0
    const startedAt = world.clock.now()
    if (this.#shown !== null && this.#shown.width === width && startedAt < this.#readAfter) return this.#shown.lines
    await this.#readFacts(state)
    const taskFound: TaskFound = { run: this.#followed.run, task: this.task, facts: this.#facts }
    const story = await readStory(world, repository, state, taskFound)
    const lines = renderStory(story, look).map((text): ScreenLine => [span(text, 'painted')])
    const now = world.clock.now()
    this.#readAfter = now + Math.max(FRESH_MS, REST_FACTOR * (now - startedAt))
    this.#shown = { width, lines }
    return lines
  }

  async #readFacts({ store }: State): Promise<void> {
    for await (const chunk of store.read(runLedger(this.#followed.id), this.#seq)) {
      for (const recorded of chunk) {
        this.#seq = recorded.seq
        if (this.#isAbout(recorded)) this.#facts.push({ at: recorded.at, event: recorded.event as RunEvent })
      }
    }
  }
}
