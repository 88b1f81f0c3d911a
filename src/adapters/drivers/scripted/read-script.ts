import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Problem, problem } from '../../../core/model/problem.ts'
import { parseScript, type ScriptRule } from './parse-script.ts'

/** Reads scripts, each one again only when its file has changed. */
export type ScriptReader = (script: string | null) => Promise<readonly ScriptRule[] | Problem>

/** Reads scripts whose paths start at a folder. */
export function scriptReader(folder: string): ScriptReader {
  const known = new Map<string, { readonly stamp: string; readonly rules: Promise<readonly ScriptRule[] | Problem> }>()
  return async (script) => {
    if (script === null) return noScript()
    const path = resolve(folder, script)
    try {
      const { mtimeMs, size, ino } = statSync(path)
      const stamp = `${mtimeMs} ${size} ${ino}`
      const last = known.get(path)
      if (last?.stamp === stamp) return await last.rules
      const rules = readFile(path, 'utf8').then((text) => parseScript(script, text))
      known.set(path, { stamp, rules })
      return await rules
    } catch (cause) {
      known.delete(path)
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
  const isThere = (cause as NodeJS.ErrnoException).code !== 'ENOENT'
  return problem({
    code: 'script-unreadable',
    message: isThere ? `The script ${script} cannot be read: ${String(cause)}` : `There is no script ${script}.`,
    hint: `It is looked for at ${path}; "agent.script" in longhaul.yaml says where.`,
    retry: 'never',
    cause,
  })
}
