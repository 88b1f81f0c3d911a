import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { JudgeSettings } from '../../core/model/settings.ts'
import type { JudgeOptions } from './judge-options.ts'

/** What goes along with a question; the key is read from the environment each time and kept nowhere. */
export function headersFor(
  { key }: JudgeSettings,
  resolveEnv: JudgeOptions['resolveEnv'],
): Readonly<Record<string, string>> | Problem {
  const plain = { 'content-type': 'application/json' }
  if (key === null) return plain
  const resolved = resolveEnv({ key })
  return isProblem(resolved) ? resolved : { ...plain, authorization: `Bearer ${resolved.key}` }
}
