import { mkdirSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandGate } from '../../src/adapters/gates/command.ts'
import type { Containment } from '../../src/process/containment.ts'
import { TEST_ENV } from './containments.ts'
import type { GateWorld } from './gate.ts'
import { within } from './within.ts'

/** The real command gate in a folder of its own. */
export async function commandGateWorld(containment: Containment): Promise<GateWorld> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'longhaul gäte ')))
  const folder = join(root, 'checkout')
  mkdirSync(folder)
  return {
    folder,
    within,
    gate: commandGate({ containment, environment: TEST_ENV, pidFolder: () => join(root, 'pids') }),
    command: ({ says, exits }) => `printf '${says}'; ${exits === 'hangs' ? 'sleep 1000' : `exit ${exits}`}`,
    leave: () => rm(root, { recursive: true, force: true }),
  }
}
