import type { AttemptEvent } from '../../../core/model/attempt-event.ts'
import { attemptLedger, runLedger, type TaskId } from '../../../core/model/ids.ts'
import { RUN_PURPOSE } from '../../../core/model/lease.ts'
import type { Problem } from '../../../core/model/problem.ts'
import type { RunEvent } from '../../../core/model/run-event.ts'
import { evolveRun } from '../../../core/run/evolve.ts'
import { newRun, type RunState } from '../../../core/run/state.ts'
import { unknownTask } from '../../../core/run/unknown-task.ts'
import { AttemptStoryBuilder } from '../../../core/views/story/attempt-story-builder.ts'
import { type TaskStory, taskStory } from '../../../core/views/story/task-story.ts'
import type { Repository, State } from '../../../ports/repository.ts'
import type { Store } from '../../../ports/store.ts'
import { timeFormatter } from '../render/times.ts'
import type { World } from '../world.ts'
import { noRun } from './ask-run.ts'
import { currentRun, type RunFound, readRuns } from './runs.ts'
import { taskFilter } from './task-filter.ts'

/** A task in the newest run that has it, with the run's events about it. */
export interface TaskFound {
  readonly run: RunState
  readonly task: TaskId
  readonly facts: Facts
}

type Facts = readonly { readonly at: number; readonly event: RunEvent }[]

/** Finds a task, in the current run first, then in older ones. */
export async function findTask(store: Store, task: TaskId): Promise<TaskFound | Problem> {
  const runs = await readRuns(store)
  const first = currentRun(runs)
  if (first === null) return noRun()
  let newest: RunState | null = null
  for (const candidate of [first, ...runs.filter((run) => run !== first).toReversed()]) {
    const read = await readRun(store, candidate, task)
    if (read.run.tasks.has(task)) return { ...read, facts: [...(await earlierFacts(store, runs, read)), ...read.facts] }
    newest ??= read.run
  }
  return unknownTask(task, 'this repository', newest?.tasks.keys() ?? [])
}

/** Reads the facts about a task that was carried over, from the run that landed it. */
async function earlierFacts(store: Store, runs: readonly RunFound[], { task, facts }: TaskFound): Promise<Facts> {
  const carried = facts.find(({ event }) => event.kind === 'task-carried-over')?.event
  const origin = runs.find(({ run }) => carried?.kind === 'task-carried-over' && run === carried.run)
  return origin === undefined ? [] : (await readRun(store, origin, task)).facts
}

/** Reads the whole history of a task. */
export async function readStory(
  world: World,
  repository: Repository,
  state: State,
  task: TaskFound,
): Promise<TaskStory> {
  const at = world.clock.now()
  const isDriven = (await state.leases.holder())?.purpose === RUN_PURPOSE
  const attempts = []
  for (const story of attemptStories(repository, task)) {
    await readAttempt(state.store, story)
    attempts.push(story.build(await textsOf(state.store, story.textsNeeded)))
  }
  return taskStory({ ...task, attempts, isDriven, at, formatTime: timeFormatter(at) })
}

async function textsOf(store: Store, digests: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const digest of digests) {
    const text = await store.blob(digest)
    if (text !== null) texts.set(digest, text)
  }
  return texts
}

/** Reads an attempt's events. Most are turns, and only the last of those are needed. */
async function readAttempt(store: Store, story: AttemptStoryBuilder): Promise<void> {
  const ledger = attemptLedger(story.id)
  for await (const chunk of store.read(ledger, 0, { without: [TURN] })) {
    for (const { event, at, seq } of chunk) story.addAttemptEvent(event as AttemptEvent, at, seq)
  }
  for await (const chunk of store.read(ledger, story.turnsNeededAfter)) {
    for (const { event, at, seq } of chunk)
      if (event.kind === TURN) story.addAttemptEvent(event as AttemptEvent, at, seq)
  }
}

const TURN: AttemptEvent['kind'] = 'usage-observed'

async function readRun(store: Store, { run: id }: RunFound, task: TaskId): Promise<TaskFound> {
  const run = newRun()
  const facts: { at: number; event: RunEvent }[] = []
  const isAbout = taskFilter(task)
  for await (const chunk of store.read(runLedger(id), 0)) {
    for (const recorded of chunk) {
      const [event, at] = [recorded.event as RunEvent, recorded.at]
      evolveRun(run, event, at)
      if (isAbout(recorded)) facts.push({ at, event })
    }
  }
  return { run, task, facts }
}

/** Creates a story builder for each attempt, with the run's events about it. */
function attemptStories(repository: Repository, { facts }: TaskFound): readonly AttemptStoryBuilder[] {
  const stories = new Map<string, AttemptStoryBuilder>()
  for (const { event, at } of facts) {
    if (event.kind === 'attempt-started') {
      stories.set(event.attempt, new AttemptStoryBuilder(event, at, repository.branchOf(event.attempt)))
    }
    const name = 'attempt' in event ? event.attempt : 'landing' in event ? event.landing : ''
    stories.get(name)?.addRunEvent(event, at)
  }
  return [...stories.values()]
}
