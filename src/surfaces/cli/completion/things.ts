import { unwrap } from '../../../core/model/problem.ts'
import type { RunState } from '../../../core/run/state.ts'
import { findRepository } from '../repository/open-repository.ts'
import { currentRun, foldRun, readRuns } from '../repository/runs.ts'
import type { VerbContext } from '../verb.ts'
import type { Offer } from './wanted-next.ts'

/** Stands for file names, which the shell completes itself. */
export const FILES = 'files'

/** Lists the values of a placeholder of the command line; none for free text. */
export async function thingsNamed(context: VerbContext, placeholder: string, word: string): Promise<Things> {
  if (FILE_PLACEHOLDERS.includes(placeholder)) return FILES
  const one = THINGS[placeholder]
  if (one !== undefined) return one(context)
  const listed = LISTS[placeholder]
  return listed === undefined ? [] : oneMore(await listed(context), word)
}

/** Words to offer, or file names. */
export type Things = readonly Offer[] | typeof FILES

const FILE_PLACEHOLDERS: readonly string[] = ['file', 'folder', 'scenario']

type Look = (context: VerbContext) => Promise<readonly Offer[]>

const THINGS: Readonly<Record<string, Look>> = {
  task: tasks,
  attempt: async (context) => {
    const records = [...((await readCurrentRun(context))?.tasks.values() ?? [])]
    return records.flatMap(({ task, attemptsBefore, started }) =>
      Array.from({ length: started }, (_, index) => ({
        word: `${task.id}-a${attemptsBefore + index + 1}`,
        about: task.title,
      })),
    )
  },
  milestone: async (context) => {
    const milestones = (await readCurrentRun(context))?.milestones.values() ?? []
    return Array.from(milestones, ({ id, title }) => ({ word: id, about: title }))
  },
  key: async () => {
    const { keyNotes } = await import('../../../config/key-notes.ts')
    return keyNotes().map(({ key, about }) => ({ word: key.replace('[]', ''), about }))
  },
  driver: async ({ world }) => (await world.adapters()).drivers.map((word) => ({ word, about: '' })),
  preset: async () => {
    const { PRESETS } = await import('../../../config/presets.ts')
    const { STACK_NAMES } = await import('../../../config/stacks/stack.ts')
    const presets = Object.entries(PRESETS).map(([word, { about }]) => ({ word, about }))
    return [...presets, ...STACK_NAMES.map((word) => ({ word, about: 'a stack' }))]
  },
}

/** Placeholders that take several values, separated by commas. */
const LISTS: Readonly<Record<string, Look>> = {
  tasks,
  kinds: async () => {
    const { EVENT_KINDS } = await import('../../../core/model/event-kinds.ts')
    return EVENT_KINDS.map((word) => ({ word, about: '' }))
  },
}

function oneMore(offers: readonly Offer[], word: string): readonly Offer[] {
  const typed = word.split(',').slice(0, -1)
  const left = offers.filter((offer) => !typed.includes(offer.word))
  return left.map((offer) => ({ ...offer, word: [...typed, offer.word].join(',') }))
}

async function tasks(context: VerbContext): Promise<readonly Offer[]> {
  const records = (await readCurrentRun(context))?.tasks.values() ?? []
  return Array.from(records, ({ task, standing }) => ({ word: task.id, about: `${standing}: ${task.title}` }))
}

/** Reads the current run, or null. */
async function readCurrentRun(context: VerbContext): Promise<RunState | null> {
  const repository = await findRepository(context)
  if (!repository.hasState()) return null
  const { store } = unwrap(await repository.readState())
  try {
    const run = currentRun(await readRuns(store))
    return run === null ? null : await foldRun(store, run.run)
  } finally {
    await store.close()
  }
}
