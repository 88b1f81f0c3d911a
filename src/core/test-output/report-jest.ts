import { lineIn } from './line-parts.ts'
import { asLine, asObject, asText, type LooseObject, objectsIn, textsIn } from './loose-json.ts'
import { type FailureDraft, Tally, type TestOutcome } from './tally.ts'

/** Reads the JSON report of Jest or Vitest; null when it is something else. */
export function readJestReport(report: LooseObject): { readonly framework: string; readonly tally: Tally } | null {
  if (!Array.isArray(report.testResults) || typeof report.numTotalTests !== 'number') return null
  const framework = 'numRuntimeErrorTestSuites' in report ? 'jest' : 'vitest'
  const tally = new Tally()
  for (const file of objectsIn(report.testResults)) readFile(file, framework, tally)
  return { framework, tally }
}

function readFile(result: LooseObject, framework: string, tally: Tally): void {
  const file = asText(result.name)
  const before = tally.failed
  for (const test of objectsIn(result.assertionResults)) readTest(test, file, framework, tally)
  tally.lasted(Number(result.endTime) - Number(result.startTime))
  if (result.status !== 'failed' || tally.failed > before) return
  // The file could not be loaded, or a hook of it failed.
  tally.failed += 1
  const draft = tally.open(framework === 'jest' ? 'Test suite failed to run' : file, file)
  if (draft !== null) complete(draft, asText(result.message))
}

function readTest(test: LooseObject, file: string, framework: string, tally: Tally): void {
  const outcome = OUTCOMES[asText(test.status)]
  if (outcome === undefined) return
  const name = [...textsIn(test.ancestorTitles), asText(test.title)].join(framework === 'jest' ? ' › ' : ' > ')
  if (outcome !== 'failed') {
    tally.addNamed(outcome, name)
    return
  }
  tally.failed += 1
  const draft = tally.open(name, file)
  if (draft === null) return
  complete(draft, textsIn(test.failureMessages)[0] ?? '')
  draft.line ??= asLine(asObject(test.location)?.line)
}

function complete(draft: FailureDraft, text: string): void {
  const lines = text.split('\n').map((line) => line.trim())
  const [first = '', ...rest] = lines.filter((line) => line !== '' && !line.startsWith('●'))
  const values = rest.filter((line) => VALUES.test(line)).slice(0, VALUES_MAX)
  draft.message = [first.replace(/^Error: (?=expect\()/, ''), ...values].join('; ')
  const frame = lines.find((line) => draft.file !== null && line.includes(`${draft.file}:`))
  if (frame !== undefined && draft.file !== null) draft.line = lineIn(frame, draft.file)
}

const VALUES_MAX = 4
const VALUES = /^(?:Expected|Received)\b.*:/
const OUTCOMES: Readonly<Record<string, TestOutcome>> = {
  passed: 'passed',
  failed: 'failed',
  pending: 'skipped',
  skipped: 'skipped',
  disabled: 'skipped',
  todo: 'skipped',
}
