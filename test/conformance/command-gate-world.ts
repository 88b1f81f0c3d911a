import { mkdirSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandGate } from '../../src/adapters/gates/command.ts'
import type { Containment } from '../../src/process/start/containment.ts'
import { TEST_ENV, unlimited } from './containments.ts'
import type { GateWorld } from './gate.ts'
import { settledWithin } from './settled-within.ts'

/** The real command gate in a temporary folder. */
export async function commandGateWorld(containment: Containment): Promise<GateWorld> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'longhaul gäte ')))
  const folder = join(root, 'checkout')
  mkdirSync(folder)
  return {
    folder,
    settledWithin,
    gate: commandGate({ sandbox: unlimited(containment), environment: TEST_ENV, pidFolder: () => join(root, 'pids') }),
    command: ({ output, exit }) => `printf '${output}'; ${exit === 'hangs' ? 'sleep 1000' : `exit ${exit}`}`,
    leave: () => rm(root, { recursive: true, force: true }),
  }
}
