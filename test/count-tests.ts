import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** Writes the number of passed, failed and skipped tests per project to --outputFile, if given. */
export class CountTests implements Reporter {
  #file: unknown

  onInit(vitest: Vitest): void {
    this.#file = vitest.config.outputFile
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts: Record<string, { passed: number; failed: number; skipped: number }> = {}
    for (const { project, children } of modules) {
      counts[project.name] ??= { passed: 0, failed: 0, skipped: 0 }
      const count = counts[project.name]
      for (const test of children.allTests()) {
        const { state } = test.result()
        if (count !== undefined && state !== 'pending') count[state] += 1
      }
    }
    if (typeof this.#file === 'string') writeFileSync(this.#file, JSON.stringify(counts))
  }
}
