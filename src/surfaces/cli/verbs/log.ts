import type { TaskId } from '../../../core/model/ids.ts'
import { unwrap } from '../../../core/model/problem.ts'
import type { RecordedEvent, Store } from '../../../ports/store.ts'
import { EXIT } from '../exit-codes.ts'
import { refuse } from '../refusal.ts'
import { jsonEvent, logLines } from '../render/render-event.ts'
import { nextChange } from '../repository/announcing-store.ts'
import { findRepository } from '../repository/open-repository.ts'
import { findTask } from '../repository/read-story.ts'
import { attemptFilter } from '../repository/task-filter.ts'
import { type TypedArguments, textOption, type Verb, type VerbContext } from '../verb.ts'
import { logFilter, offerLogFilter } from './log-filter.ts'

/** `longhaul log`: shows every event, one line each. */
export const logVerb: Verb = {
  about: 'Shows every event of every run, oldest first: why a task started, waited, was sent back, failed or landed.',
  examples: [
    'longhaul log --task fix-login',
    'longhaul log --level warning --since 2h',
    'longhaul log --json --follow',
  ],
  shape(command) {
    offerLogFilter(command)
    command
      .option('--follow', 'keep printing new events until Ctrl-C')
      .option('--json', 'print one JSON object per line')
  },
  async run(context, typed) {
    const repository = await findRepository(context)
    const isFollowing = typed.options.follow === true
    if (!repository.hasState() && !isFollowing) {
      context.output.line('No events yet. Add tasks: longhaul import FILE')
      return EXIT.done
    }
    const { store } = unwrap(await repository.readState())
    const show = eventPrinter(context, typed)
    try {
      if (isFollowing) await follow(store, show, context)
      else if ((await showAfter(store, 0, show, context)).shown === 0) await reportNothing(context, store, typed)
      return EXIT.done
    } finally {
      await store.close()
    }
  },
}

/** Prints an event if it passes the filter; returns whether it did. */
type Show = (event: RecordedEvent) => boolean

/** Reports that no event matches, or that the task does not exist. */
async function reportNothing({ output }: VerbContext, store: Store, typed: TypedArguments): Promise<void> {
  const [task, attempt] = [textOption(typed, 'task'), textOption(typed, 'attempt')]
  if (task !== null) unwrap(await findTask(store, task as TaskId))
  if (attempt !== null && !(await hasEvents(store, attempt))) {
    refuse('unknown-attempt', `There is no attempt ${attempt}.`, 'See the attempts of a task: longhaul show TASK')
  }
  output.remark('No events match.')
}

async function hasEvents(store: Store, attempt: string): Promise<boolean> {
  const isOf = attemptFilter((name) => name === attempt)
  for await (const chunk of store.readAll(0, {})) if (chunk.some(isOf)) return true
  return false
}

function eventPrinter({ world, output }: VerbContext, typed: TypedArguments): Show {
  const isWanted = logFilter(typed, world.clock.now())
  const kinds = typed.options.kind === undefined ? 'usual' : 'all'
  return (event) => {
    if (!isWanted(event)) return false
    output.json(jsonEvent(event))
    if (!output.isJson) for (const line of logLines(event, output, kinds)) output.line(line)
    return true
  }
}

/** Prints the events after a position; returns the last position and the number printed. */
async function showAfter(
  store: Store,
  after: number,
  show: Show,
  { output }: VerbContext,
): Promise<{ readonly last: number; readonly shown: number }> {
  let [last, shown] = [after, 0]
  for await (const chunk of store.readAll(after, {})) {
    for (const event of chunk) if (show(event)) shown += 1
    last = chunk.at(-1)?.position ?? last
    if (output.isClosed()) break
  }
  return { last, shown }
}

async function follow(store: Store, show: Show, context: VerbContext): Promise<void> {
  // Waiting for another process does not keep Node's event loop alive.
  const alive = setInterval(() => {}, KEEP_ALIVE_MS)
  for (let last = 0; !context.output.isClosed(); ) {
    const woken = nextChange(store)
    last = (await showAfter(store, last, show, context)).last
    await woken
  }
  clearInterval(alive)
}

const KEEP_ALIVE_MS = 1_000_000
