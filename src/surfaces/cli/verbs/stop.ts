import type { RequestId } from '../../../core/model/ids.ts'
import { engineWithoutState, RUN_PURPOSE } from '../../../core/model/lease.ts'
import { ProblemError, unwrap } from '../../../core/model/problem.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { Leases } from '../../../ports/store.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { askEngine } from '../repository/ask-run.ts'
import { findRepository } from '../repository/open-repository.ts'
import type { Verb, VerbContext } from '../verb.ts'
import { requestVerb } from './request-verbs.ts'

const stopTask = requestVerb('stop')

/** `longhaul stop`: stops the engine, or one task. */
export const stopVerb: Verb = {
  ...stopTask,
  async run(context, typed) {
    return typed.args.length === 0 ? stopEngine(context, await findRepository(context)) : stopTask.run(context, typed)
  },
}

async function stopEngine({ world, output }: VerbContext, repository: Repository): Promise<ExitCode> {
  const holder = await repository.leaseHolder()
  const state = repository.hasState() ? unwrap(await repository.openState()) : null
  if (state === null && holder?.purpose === RUN_PURPOSE) {
    throw new ProblemError(engineWithoutState({ by: holder }, repository.stateFolder))
  }
  if (state === null || holder?.purpose !== RUN_PURPOSE) {
    output.json({ stopped: null })
    output.line('No engine is running in this repository.')
    return EXIT.done
  }
  output.line(`Stopping the engine (pid ${holder.pid}) and saving the work of its rounds …`)
  await askEngine({ world, state }, { kind: 'stop-engine' }, world.clock.uuid() as RequestId)
  await untilFree(state.leases, world.clock)
  output.json({ stopped: holder.pid })
  output.line('The engine has stopped. To continue: longhaul run')
  await state.store.close()
  return EXIT.done
}

const LOOK_MS = 50

/** Polls, because nothing signals when a lease becomes free. */
async function untilFree(leases: Leases, clock: Clock): Promise<void> {
  while ((await leases.holder()) !== null) await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve))
}
