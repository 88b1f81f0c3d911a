import type { RequestId, TaskId } from '../../../core/model/ids.ts'
import { unwrap } from '../../../core/model/problem.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Repository, State } from '../../../ports/repository.ts'
import type { Leases } from '../../../ports/store.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { askOpenRun } from '../repository/ask-open-run.ts'
import { askEngine } from '../repository/ask-run.ts'
import { findRepository } from '../repository/open-repository.ts'
import { RUN_PURPOSE } from '../repository/runs.ts'
import type { Verb, VerbContext } from '../verb.ts'

/** `longhaul stop`: ends the engine, or gives up one task. */
export const stopVerb: Verb = {
  about:
    'Without a task: the engine stops its rounds, saves their work and leaves; "longhaul run" goes on later. With a task: its attempt is stopped, and the task has failed until "longhaul retry".',
  examples: ['longhaul stop', 'longhaul stop fix-login'],
  shape: (command) =>
    void command.argument('[task]', 'the task to give up').option('--json', 'print the outcome as JSON'),
  async run(context, { args }) {
    const [task] = args
    return task === undefined ? stopEngine(context, await findRepository(context)) : stopTask(context, task as TaskId)
  },
}

async function stopTask(context: VerbContext, task: TaskId): Promise<ExitCode> {
  await askOpenRun(context, 'stop', { kind: 'stop-task', task })
  const { output } = context
  output.json({ stopped: task })
  output.line(`${task} is stopped, and its work is kept. "longhaul retry ${task}" takes it up again.`)
  return EXIT.done
}

async function stopEngine(context: VerbContext, place: Repository): Promise<ExitCode> {
  const { output } = context
  const state = place.hasState() ? unwrap(await place.openState()) : null
  const holder = (await state?.leases.holder()) ?? null
  if (state === null || holder?.purpose !== RUN_PURPOSE) {
    output.json({ stopped: null })
    output.line('No engine is running here.')
    return EXIT.done
  }
  output.line(`Asking process ${holder.pid} to stop its rounds and save their work …`)
  await stopAndWait(context, state)
  output.json({ stopped: holder.pid })
  output.line('The engine has stopped. "longhaul run" goes on from here.')
  await state.store.close()
  return EXIT.done
}

async function stopAndWait({ world }: VerbContext, state: State): Promise<void> {
  await askEngine({ world, state }, { kind: 'stop-engine' }, world.clock.uuid() as RequestId)
  await untilFree(state.leases, world.clock)
}

const LOOK_MS = 50

/** Nothing tells when a lease becomes free, so it is looked at. */
async function untilFree(leases: Leases, clock: Clock): Promise<void> {
  while ((await leases.holder()) !== null) await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve))
}
