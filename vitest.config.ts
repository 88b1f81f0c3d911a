import { defineConfig } from 'vitest/config'

const threads = { pool: 'threads', isolate: false } as const

export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts', 'test/ledgers/**/*.test.ts'], ...threads } },
      { test: { name: 'architecture', include: ['test/architecture/**/*.test.ts'], ...threads } },
      { test: { name: 'simulation', include: ['test/simulation/**/*.test.ts'], ...threads, testTimeout: 120_000 } },
      { test: { name: 'conformance', include: ['test/conformance/**/*.test.ts'], pool: 'forks', testTimeout: 60_000 } },
      { test: { name: 'journeys', include: ['test/journeys/**/*.test.ts'], pool: 'forks', testTimeout: 120_000 } },
    ],
  },
})
