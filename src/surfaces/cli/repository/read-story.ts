import type { AttemptEvent } from '../../../core/model/attempt-event.ts'
import { attemptLedger, runLedger, type TaskId } from '../../../core/model/ids.ts'
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
import { currentRun, RUN_PURPOSE, type RunFound, readRuns } from './runs.ts'
import { taskFilter } from './task-filter.ts'

/** A task in the newest run that has it, with the run's facts about it. */
export interface TaskFound {
  readonly run: RunState
  readonly task: TaskId
  readonly facts: readonly { readonly at: number; readonly event: RunEvent }[]
}

/** Looks a task up; the open run, or the one before, goes first. */
export async function findTask(store: Store, task: TaskId): Promise<TaskFound | Problem> {
  const runs = await readRuns(store)
  const first = currentRun(runs)
  if (first === null) return noRun()
  let known: RunState | null = null
  for (const found of [first, ...runs.filter((run) => run !== first).toReversed()]) {
    const read = await readRun(store, found, task)
    if (read.run.tasks.has(task)) return read
    known ??= read.run
  }
  return unknownTask(task, 'this repository', known?.tasks.keys() ?? [])
}

/** Everything that is known of a task. */
export async function readStory(world: World, place: Repository, state: State, found: TaskFound): Promise<TaskStory> {
  const at = world.clock.now()
  const isDriven = (await state.leases.holder())?.purpose === RUN_PURPOSE
  const attempts = []
  for (const teller of tellersOf(place, found)) {
    await tellAttempt(state.store, teller)
    attempts.push(teller.build(await textsOf(state.store, teller.textsNeeded)))
  }
  return taskStory({ ...found, attempts, isDriven, at, formatTime: timeFormatter(at) })
}

async function textsOf(store: Store, digests: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const digest of digests) {
    const text = await store.blob(digest)
    if (text !== null) texts.set(digest, text)
  }
  return texts
}

/** Turns are most of an attempt's facts, and only the last ones are needed. */
async function tellAttempt(store: Store, teller: AttemptStoryBuilder): Promise<void> {
  const ledger = attemptLedger(teller.id)
  for await (const chunk of store.read(ledger, 0, { without: [TURN] })) {
    for (const { event, at, seq } of chunk) teller.addAttemptEvent(event as AttemptEvent, at, seq)
  }
  for await (const chunk of store.read(ledger, teller.turnsNeededAfter)) {
    for (const { event, at, seq } of chunk)
      if (event.kind === TURN) teller.addAttemptEvent(event as AttemptEvent, at, seq)
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

/** One for each attempt at the task, with what the run knows of it. */
function tellersOf(place: Repository, { facts }: TaskFound): readonly AttemptStoryBuilder[] {
  const tellers = new Map<string, AttemptStoryBuilder>()
  for (const { event, at } of facts) {
    if (event.kind === 'attempt-started') {
      tellers.set(event.attempt, new AttemptStoryBuilder(event, at, place.branchOf(event.attempt)))
    }
    const name = 'attempt' in event ? event.attempt : 'landing' in event ? event.landing : ''
    tellers.get(name)?.addRunEvent(event, at)
  }
  return [...tellers.values()]
}
