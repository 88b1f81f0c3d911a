import { readFile } from 'node:fs/promises'
import { type Problem, problem } from '../core/model/problem.ts'
import { unreadableReason } from '../core/reading/file-problems.ts'
import { parseScenario } from './parse-scenario.ts'
import type { Scenario } from './scenario.ts'

/** Reads a scenario from a file. */
export async function readScenario(file: string, path: string): Promise<Scenario | Problem> {
  try {
    return parseScenario(file, await readFile(path, 'utf8'))
  } catch (cause) {
    const message = `The scenario ${file} cannot be read: ${unreadableReason(cause)}.`
    const hint = 'Name a file as docs/guides/lab.md describes it.'
    return problem({ code: 'scenario-unreadable', message, hint, retry: 'person', cause })
  }
}
