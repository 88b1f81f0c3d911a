import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Problem, problem } from '../../../core/model/problem.ts'
import { parseScript, type ScriptRule } from './parse-script.ts'

/** Reads a script, from a cache unless its file has changed. */
export type ScriptReader = (script: string | null) => Promise<readonly ScriptRule[] | Problem>

/** Makes a reader for scripts relative to a folder. */
export function scriptReader(folder: string): ScriptReader {
  const cache = new Map<string, { readonly stamp: string; readonly rules: Promise<readonly ScriptRule[] | Problem> }>()
  return async (script) => {
    if (script === null) return noScript()
    const path = resolve(folder, script)
    try {
      const { mtimeMs, size, ino } = statSync(path)
      const stamp = `${mtimeMs} ${size} ${ino}`
      const cached = cache.get(path)
      if (cached?.stamp === stamp) return await cached.rules
      const rules = readFile(path, 'utf8').then((text) => parseScript(script, text))
      cache.set(path, { stamp, rules })
      return await rules
    } catch (cause) {
      cache.delete(path)
      return unreadable(script, path, cause)
    }
  }
}

function noScript(): Problem {
  return problem({
    code: 'script-missing',
    message: 'The scripted agent has no script.',
    hint: 'Write "agent: { driver: scripted, script: FILE }" in longhaul.yaml.',
    retry: 'never',
  })
}

function unreadable(script: string, path: string, cause: unknown): Problem {
  const exists = (cause as NodeJS.ErrnoException).code !== 'ENOENT'
  return problem({
    code: 'script-unreadable',
    message: exists ? `The script ${script} cannot be read: ${String(cause)}` : `The script ${script} does not exist.`,
    hint: `Correct "agent.script" in longhaul.yaml, or create ${path}.`,
    retry: 'never',
    cause,
  })
}
