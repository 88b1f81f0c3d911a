import type { TaskId } from '../../../core/model/ids.ts'
import { unwrap } from '../../../core/model/problem.ts'
import type { RecordedEvent, Store } from '../../../ports/store.ts'
import { EXIT } from '../exit-codes.ts'
import { jsonEvent, logLines } from '../render/render-event.ts'
import { nextChange } from '../repository/announcing-store.ts'
import { findRepository } from '../repository/open-repository.ts'
import { findTask } from '../repository/read-story.ts'
import { type TypedArguments, textOption, type Verb, type VerbContext } from '../verb.ts'
import { logFilter, offerLogFilter } from './log-filter.ts'

/** `longhaul log`: every fact, one line each. */
export const logVerb: Verb = {
  about: 'Shows every fact of every run, oldest first: why a task started, waited, was sent back, failed or landed.',
  examples: [
    'longhaul log --task fix-login',
    'longhaul log --level warning --since 2h',
    'longhaul log --json --follow',
  ],
  shape(command) {
    offerLogFilter(command)
    command.option('--follow', 'wait for more until Ctrl-C').option('--json', 'print one JSON object per line')
  },
  async run(context, given) {
    const place = await findRepository(context)
    const isFollowing = given.options.follow === true
    if (!place.hasState() && !isFollowing) {
      context.output.line('Nothing has happened yet. Bring in tasks: longhaul import FILE')
      return EXIT.done
    }
    const { store } = unwrap(await place.openState())
    const show = shower(context, given)
    try {
      if (isFollowing) await follow(store, show, context)
      else if ((await showAfter(store, 0, show, context)).shown === 0) await tellNothing(context, store, given)
      return EXIT.done
    } finally {
      await store.close()
    }
  },
}

/** Shows a fact that was asked for; answers whether it was. */
type Show = (event: RecordedEvent) => boolean

/** Nothing was asked for that happened, or something that does not exist. */
async function tellNothing({ output }: VerbContext, store: Store, given: TypedArguments): Promise<void> {
  const task = textOption(given, 'task')
  if (task !== null) unwrap(await findTask(store, task as TaskId))
  output.remark('Nothing like that has happened.')
}

function shower({ world, output }: VerbContext, given: TypedArguments): Show {
  const isWanted = logFilter(given, world.clock.now())
  return (event) => {
    if (!isWanted(event)) return false
    output.json(jsonEvent(event))
    if (!output.isJson) for (const line of logLines(event, output)) output.line(line)
    return true
  }
}

/** Shows what came after a position; answers with the last one, and with how much was shown. */
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
  // A wait for another process alone would not keep this one from ending.
  const alive = setInterval(() => {}, KEEP_ALIVE_MS)
  for (let last = 0; !context.output.isClosed(); ) {
    const woken = nextChange(store)
    last = (await showAfter(store, last, show, context)).last
    await woken
  }
  clearInterval(alive)
}

const KEEP_ALIVE_MS = 1_000_000
