import { randomUUID } from 'node:crypto'
import type { Environment } from '../src/config/environment.ts'
import { isProblem, type Problem } from '../src/core/model/problem.ts'
import type { Clock } from '../src/ports/clock.ts'
import type { EnginePorts } from '../src/ports/engine-ports.ts'
import type { Tools } from '../src/ports/repository.ts'
import type { Store } from '../src/ports/store.ts'
import { adapters } from '../src/registry.ts'

/** Open adapters that an engine needs for a repository. */
export interface OpenAdapters {
  readonly tools: Tools & Pick<EnginePorts, 'activities'>
  readonly store: Store
  close(): Promise<void>
}

/** Opens the adapters that the command line uses. */
export async function openAdapters(repository: string, environment: Environment): Promise<OpenAdapters> {
  const place = good(await adapters.find(repository, environment))
  const tools = good(await place.openTools(clock, 'rounds'))
  const { store, activities } = good(await place.openState())
  return {
    tools: { ...tools, activities },
    store,
    async close() {
      await tools.close()
      await store.close()
    },
  }
}

/** Returns the value; throws on a problem. */
export function good<T>(value: T | Problem): T {
  if (isProblem(value)) throw new Error(`${value.message} ${value.hint}`)
  return value
}

/** Real time and real random ids. */
export const clock: Clock = {
  now: () => Date.now(),
  uuid: () => randomUUID(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms)
    return () => clearTimeout(timer)
  },
}
