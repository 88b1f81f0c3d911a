import { asLine, asObject, asText, type LooseObject, objectsIn } from './loose-json.ts'
import { pytestId } from './pytest-id.ts'
import { type FailureDraft, Tally, type TestOutcome } from './tally.ts'

/** Reads the JSON of pytest-json-report; null when it is something else. */
export function readPytestReport(report: LooseObject): { readonly framework: string; readonly tally: Tally } | null {
  if (asObject(report.summary) === null || !Array.isArray(report.tests)) return null
  const tally = new Tally()
  for (const test of objectsIn(report.tests)) read(test, tally)
  for (const collector of objectsIn(report.collectors)) if (collector.outcome === 'failed') read(collector, tally)
  tally.lasted(Math.round(Number(report.duration) * 1000))
  return { framework: 'pytest', tally }
}

function read(test: LooseObject, tally: Tally): void {
  const outcome = OUTCOMES[asText(test.outcome)]
  if (outcome === undefined) return
  const { file, name } = pytestId(asText(test.nodeid), () => false)
  if (outcome !== 'failed') {
    tally.addNamed(outcome, name ?? file)
    return
  }
  tally.failed += 1
  const draft = tally.open(name ?? file, file)
  if (draft !== null) complete(draft, test)
}

function complete(draft: FailureDraft, test: LooseObject): void {
  for (const phase of ['call', 'setup', 'teardown']) {
    const crash = asObject(asObject(test[phase])?.crash)
    if (crash === null) continue
    draft.message = asText(crash.message)
    if (asText(crash.path).endsWith(draft.file ?? '')) draft.line = asLine(crash.lineno)
    return
  }
  draft.message = asText(test.longrepr).split('\n').at(-1) ?? ''
}

const OUTCOMES: Readonly<Record<string, TestOutcome>> = {
  passed: 'passed',
  xpassed: 'passed',
  failed: 'failed',
  error: 'failed',
  skipped: 'skipped',
  xfailed: 'skipped',
}
