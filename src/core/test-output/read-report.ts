import type { FormatReader } from './format-reader.ts'
import { GoReader } from './go.ts'
import { JunitReader } from './junit.ts'
import { parseObject } from './loose-json.ts'
import { PlainText } from './plain-text.ts'
import { readJestReport } from './report-jest.ts'
import { readMochaReport } from './report-mocha.ts'
import { readPytestReport } from './report-pytest.ts'
import { TapReader } from './tap.ts'
import { type TestOutputRead, toTestOutputRead } from './test-output-read.ts'

/** Reads a report that a test runner wrote to a file: JUnit's XML, JSON or TAP, told apart by their content; null when it is none. */
export function readReport(text: string, folder: string): TestOutputRead | null {
  const start = text.slice(0, HEAD).trimStart()
  const plain = new PlainText(folder)
  const reported = start.startsWith('{') ? readJson(text) : readLines(readerFor(start), plain.of(text))
  if (reported === null) return null
  const { passed, failed, skipped } = reported.tally
  if (passed + failed + skipped === 0) return null
  return { ...toTestOutputRead(reported.framework, reported.tally, plain), coverage: null }
}

function readJson(text: string): Reported | null {
  const report = parseObject(text)
  if (report === null) return readLines(new GoReader(), text)
  return readJestReport(report) ?? readMochaReport(report) ?? readPytestReport(report)
}

function readerFor(start: string): FormatReader | null {
  if (start.startsWith('<')) return new JunitReader('each')
  return TAP.test(start) ? new TapReader() : null
}

function readLines(reader: FormatReader | null, text: string): Reported | null {
  if (reader === null) return null
  let isRecognized = false
  let start = 0
  while (start < text.length) {
    const end = text.indexOf('\n', start)
    isRecognized = reader.read(text.slice(start, end < 0 ? text.length : end)) || isRecognized
    start = end < 0 ? text.length : end + 1
  }
  return isRecognized ? { framework: reader.framework, tally: reader.runs.total() } : null
}

type Reported = NonNullable<ReturnType<typeof readJestReport>>

const HEAD = 4096
const TAP = /^(?:TAP version \d|1\.\.\d|(?:not )?ok \d|# )/
