import { type LoadedSettings, loadSettings } from '../src/config/load.ts'
import type { RequestId, RunId } from '../src/core/model/ids.ts'
import type { Request } from '../src/core/model/input.ts'
import type { Task } from '../src/core/model/task.ts'
import { RunEngine } from '../src/engine/run-engine.ts'
import type { EnginePorts } from '../src/ports/engine-ports.ts'
import type { Project } from './project.ts'
import { openAdapters } from './real-adapters.ts'

const RUN = '2026-01-01-0000-bench' as RunId

/** Works through tasks in this process, with the real adapters wrapped by `wrap`. */
export async function driveHere(
  { repository, env }: Project,
  settings: string,
  tasks: readonly Task[],
  wrap: (ports: EnginePorts) => EnginePorts,
): Promise<void> {
  const { tools, store, close } = await openAdapters(repository, env)
  const engine = new RunEngine({ ports: wrap({ ...tools, store }), run: RUN, pid: process.pid, noWait: true })
  await engine.open()
  for (const [index, request] of requestsFor(settings, tasks).entries()) {
    await engine.request(`q${index}` as RequestId, request)
  }
  const end = await engine.drive()
  await engine.close()
  await close()
  if (end.kind !== 'settled' || end.condition.kind !== 'ended')
    throw new Error(`the run is not over: ${JSON.stringify(end)}`)
}

function requestsFor(text: string, tasks: readonly Task[]): readonly Request[] {
  const { settings } = loadSettings({ file: null, text }) as LoadedSettings
  const before = { spentBefore: {}, samplesBefore: {}, knowledgeBefore: [], proposalsBefore: [] }
  return [
    { kind: 'open-run', run: RUN, target: 'main', ...before },
    { kind: 'adopt-settings', values: settings, digest: 'bench' },
    { kind: 'add-tasks', backlog: { milestones: [], tasks }, attemptsBefore: {} },
  ]
}
