import { workspacesToDiscard } from '../core/limits/retention.ts'
import type { AttemptEvent } from '../core/model/attempt-event.ts'
import { type AttemptId, attemptLedger } from '../core/model/ids.ts'
import type { RunInput } from '../core/model/input.ts'
import { unwrap } from '../core/model/problem.ts'
import type { RunState } from '../core/run/state.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import type { Store } from '../ports/store.ts'

/** Ends what earlier engines left running in any workspace, and removes what they left behind. */
export async function emptyWorkspaces({ workspaces, activities, clock }: EnginePorts, state: RunState): Promise<void> {
  activities.clear()
  const onDisk = await workspaces.list()
  const attempts = onDisk.flatMap((one) => (one.attempt === null ? [] : [one.attempt]))
  for (const survivors of await Promise.all([...new Set(attempts)].map((id) => workspaces.empty(id)))) unwrap(survivors)
  const fateOf = (attempt: string) => (state.attempts.has(attempt as AttemptId) ? 'live' : 'over')
  for (const { name } of workspacesToDiscard(onDisk, fateOf, clock.now())) await workspaces.discard(name)
}

/** What live attempts' ledgers say that the run has not taken over yet. */
export async function catchUp(store: Store, state: RunState): Promise<readonly RunInput[]> {
  const inputs: RunInput[] = []
  for (const { attempt, seq: after } of state.attempts.values()) {
    for await (const chunk of store.read(attemptLedger(attempt), after)) {
      for (const { seq, event } of chunk)
        inputs.push({ kind: 'attempt-event', attempt, seq, event: event as AttemptEvent })
    }
  }
  return inputs
}
