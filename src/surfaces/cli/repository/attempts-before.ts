import type { TaskId } from '../../../core/model/ids.ts'
import type { OpenRepository } from './open-repository.ts'

/** How often tasks of these names have been tried in this repository, in any run. */
export async function attemptsBefore(
  { state, tools }: OpenRepository,
  tasks: readonly TaskId[],
): Promise<Readonly<Record<string, number>>> {
  const highest = new Map(await tools.landing.attemptNumbers())
  for (const ledger of await state.store.ledgers('attempt/')) {
    const [, task = '', number = '0'] = /^attempt\/(.+)-a(\d+)$/.exec(ledger) ?? []
    highest.set(task, Math.max(highest.get(task) ?? 0, Number(number)))
  }
  return Object.fromEntries(tasks.flatMap((id) => (highest.has(id) ? [[id, highest.get(id) ?? 0]] : [])))
}
