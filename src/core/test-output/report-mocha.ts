import { findLocation } from './line-parts.ts'
import { asObject, asText, type LooseObject, objectsIn } from './loose-json.ts'
import { type FailureDraft, Tally } from './tally.ts'

/** Reads Mocha's JSON report; null when it is something else. */
export function readMochaReport(report: LooseObject): { readonly framework: string; readonly tally: Tally } | null {
  const stats = asObject(report.stats)
  if (stats === null || !Array.isArray(report.passes) || !Array.isArray(report.failures)) return null
  const tally = new Tally()
  for (const test of objectsIn(report.passes)) tally.addNamed('passed', asText(test.fullTitle))
  for (const test of objectsIn(report.pending)) tally.addNamed('skipped', asText(test.fullTitle))
  for (const test of objectsIn(report.failures)) {
    tally.failed += 1
    const draft = tally.open(asText(test.fullTitle), asText(test.file) || null)
    if (draft !== null) complete(draft, asObject(test.err) ?? {})
  }
  tally.lasted(Number(stats.duration))
  return { framework: 'mocha', tally }
}

function complete(draft: FailureDraft, error: LooseObject): void {
  const stack = asText(error.stack).split('\n')
  draft.message = asText(error.message) || (stack[0] ?? '')
  const frame = stack.find((line) => line.trim().startsWith('at ') && !/node_modules\/|\(node:/.test(line))
  if (frame !== undefined) findLocation(draft, frame)
}
