import { defineConfig } from 'vitest/config'
import { CountTests } from './test/count-tests.ts'
import { enterTestEnvironment } from './test/environment.ts'
import { LongFirst } from './test/long-first.ts'
import { memoryFolder } from './test/memory-folder.ts'

enterTestEnvironment()

/** Bounds a hang, on machines that are busy with other work, too. */
const TEST_MS_MAX = 900_000
const patient = { testTimeout: TEST_MS_MAX, hookTimeout: TEST_MS_MAX } as const
const threads = { pool: 'threads', isolate: false, ...patient } as const
const forks = { pool: 'forks', isolate: false, ...patient } as const
/** Tests beside the code that needs real git, real processes and real files. */
const ADAPTERS = 'src/{git,process,adapters/{drivers,gates,landing,lanes,sandboxes,stores,workspaces}}/**/*.test.ts'

export default defineConfig({
  test: {
    reporters: ['default', new CountTests()],
    // Tests mostly wait for processes and for the disk.
    maxWorkers: 6,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/ledgers/**/*.test.ts'],
          exclude: [ADAPTERS],
          ...threads,
        },
      },
      {
        test: { name: 'architecture', include: ['test/architecture/**/*.test.ts'], ...threads },
      },
      { test: { name: 'simulation', include: ['test/simulation/**/*.test.ts'], ...threads } },
      { test: { name: 'golden', include: ['test/golden/**/*.test.ts'], ...forks } },
      { test: { name: 'adapters', include: [ADAPTERS], ...forks } },
      { test: { name: 'conformance', include: ['test/conformance/**/*.test.ts'], ...forks } },
      {
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          ...forks,
          // Programs wait for the disk at every step; adapters and conformance are tested on it.
          env: { TMPDIR: process.env.TMPDIR ?? memoryFolder() },
          // The built program is loaded without transformation.
          server: { deps: { external: [/\/dist\//] } },
        },
      },
    ],
  },
})
