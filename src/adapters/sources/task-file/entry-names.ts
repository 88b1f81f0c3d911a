import type { PlaceNames } from '../../../core/reading/schema-faults.ts'
import type { EntryList } from './raw-backlog.ts'
import { MILESTONE_KEYS, TASK_KEYS } from './task-schema.ts'
import { isMap } from './top-level.ts'

/** Names the parts of an entry for messages: `weight of task "login"`. */
export function entryNames(list: EntryList, index: number, entry: unknown): PlaceNames {
  const what = list === 'tasks' ? 'task' : 'milestone'
  const id = isMap(entry) ? entry.id : undefined
  const isNamed = typeof id === 'string' || typeof id === 'number'
  const owner = isNamed ? `${what} ${JSON.stringify(String(id))}` : `${what} number ${index + 1}`
  return {
    nameOf: ([key, ...positions]) =>
      key === undefined ? owner : `${String(key)}${positions.map((at) => `[${String(at)}]`).join('')} of ${owner}`,
    keysAt: () => (list === 'tasks' ? TASK_KEYS : MILESTONE_KEYS),
    exampleAt: ([key, ...positions]) => (positions.length === 0 ? EXAMPLES[String(key)] : undefined),
  }
}

const EXAMPLES: Readonly<Record<string, unknown>> = {
  id: 'fix-login',
  title: 'Fix the login form',
  after: ['other-task'],
  weight: 'small',
  type: 'bug',
  milestone: 'm1',
  priority: 1,
  acceptance: ['the form keeps what was typed'],
  verify: ['npm test'],
  files: ['src/login.ts'],
}
