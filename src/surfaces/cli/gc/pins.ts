import { unwrap } from '../../../core/model/problem.ts'
import type { Freeable, Grounds } from './freeable.ts'

/** Refs that only kept commits for work that is over. */
export async function freeablePins({ place, tools, run, isBusy }: Grounds): Promise<readonly Freeable[]> {
  if (isBusy) return []
  const there = (await tools.workspaces.list()).flatMap(({ attempt }) => attempt ?? [])
  const attempts = [...(run?.attempts.keys() ?? []), ...there]
  const landings = (run?.landings ?? []).map(({ id }) => id)
  const { pins, removePins } = unwrap(await place.leftovers({ attempts, landings }))
  return pins.map((name) => ({
    what: 'refs',
    name,
    why: 'kept a commit for work that is over',
    size: null,
    free: () => removePins([name]),
  }))
}
