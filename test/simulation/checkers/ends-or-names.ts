import type { Checker } from './checker.ts'

/** A run ends, or waits for something that it names. */
export const endsOrNames: Checker = ({ end, steps }) => {
  if (end === null) return [`no end within ${steps} steps`]
  if (end.kind !== 'outlook') return [`ended as ${end.kind}: ${end.kind === 'halted' ? end.problem.message : ''}`]
  if (end.outlook.kind === 'waiting' && end.outlook.for.length === 0) return ['waits for a person and does not say why']
  return []
}
