import type { Commit, Tree } from '../../../src/core/model/ids.ts'
import type { CanarySettings, GateSettings } from '../../../src/core/model/settings.ts'
import { PLAIN_RECEIPT } from '../../../src/core/model/verdict.ts'
import type { Gate } from '../../../src/ports/gate.ts'
import type { SimDisk } from './sim-disk.ts'
import type { Files } from './sim-repository.ts'

/** Script that decides the gate of a simulated world, and its texts. */
export const GATE_SCRIPT = 'check.sh'
export const ALIVE = 'check every file'
export const DEAD = 'true'

const [PLANT, PLANTED] = ['plant a failure', 'planted.txt']

/** Returns the gate of a simulated world. */
export function gateSettings(when: CanarySettings['when']): GateSettings {
  return {
    name: 'check',
    run: `sh ${GATE_SCRIPT}`,
    onFail: 'block',
    timeoutMs: 60_000,
    protect: [],
    coverage: null,
    canary: { when, plant: PLANT },
  }
}

/** True when the gate passes whatever the files are. */
export function isDead(files: Files): boolean {
  return files.get(GATE_SCRIPT) !== ALIVE
}

/** Check of a whole commit by the gate, without a planted failure. */
export interface SeenCheck {
  readonly commit: Commit
  readonly tree: Tree
  readonly place: string
  readonly passed: boolean
}

/** Runs commands in simulated folders: the gate's script, `test -f FILE`, and the planting of a failure. */
export function simGate(disk: SimDisk, onCheck: (seen: SeenCheck) => void): Gate {
  return {
    environmentDigest: ({ place }) => place,
    check: async ({ check, folder, place, commit, tree }) => {
      const { files } = disk.workspace(folder)
      const passed = passes(check.run, files)
      const isGate = check.run.includes(GATE_SCRIPT)
      if (isGate && !files.has(PLANTED)) onCheck({ commit, tree, place, passed })
      const receipt = {
        gate: check.name,
        command: check.run,
        exitCode: passed ? 0 : 1,
        timedOut: false,
        durationMs: 1,
        outputDigest: `out ${passed}`,
        tree,
        commit,
        environmentDigest: place,
        passed,
        blocking: check.onFail === 'block',
        ...PLAIN_RECEIPT,
        tests: isGate && passed ? COUNTS : null,
      }
      const names = { passed: [], skipped: [], failed: [] }
      return { receipt, output: passed ? 'fine' : 'a file is bad', failures: [], names }
    },
  }
}

/** Counts of a passed gate; a failed one prints no summary. */
const COUNTS = { framework: 'sim', passed: 1, failed: 0, skipped: 0, durationMs: null }

function passes(command: string, files: Map<string, string>): boolean {
  if (command === PLANT) return files.set(PLANTED, 'bad') !== null
  if (command.startsWith('test -f ')) return files.has(command.slice('test -f '.length))
  return isDead(files) || ![...files.values()].some((text) => text.startsWith('bad'))
}
