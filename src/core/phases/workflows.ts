import type { Phase } from '../model/attempt.ts'
import type { Weight } from '../model/task.ts'

/** The phases that a task of this weight goes through. */
export function phasesOf(weight: Weight): readonly Phase[] {
  return weight === 'trivial' ? ['implement'] : ['implement', 'verify']
}
