import type { Checker } from './checker.ts'

/** A run ends, or waits for something and names it. */
export const endsOrNamesWait: Checker = ({ end, steps }) => {
  if (end === null) return [`no end within ${steps} steps`]
  if (end.kind !== 'settled') return [`ended as ${end.kind}: ${end.kind === 'halted' ? end.problem.message : ''}`]
  if (end.condition.kind === 'waiting' && end.condition.for.length === 0) return ['waits for a person without a reason']
  return []
}
