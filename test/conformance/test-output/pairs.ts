import type { Unprinted } from './compare.ts'
import * as compiled from './compiled-suites.ts'
import * as python from './python-suites.ts'
import * as script from './script-suites.ts'
import type { Suite } from './suite.ts'
import * as truth from './truth.ts'

/** A framework with a suite, its machine-readable output, and the reporters whose output is compared with it. */
export interface Framework {
  readonly name: string
  /** Program that the commands need. */
  readonly tool: 'node' | 'vitest' | 'jest' | 'mocha' | 'tape' | 'python' | 'pytest' | 'go' | 'cargo'
  readonly suite: Suite
  /** Files of ours that write the machine-readable output. */
  readonly extra?: Suite
  /** Writes the machine-readable output to $MACHINE. */
  readonly machine: string
  readonly truth: (text: string) => truth.Truth
  /** Commands whose output we read. */
  readonly outputs: Readonly<Record<string, Reporter>>
  /** Commands that write a report to $LONGHAUL_TEST_REPORT, which we read. */
  readonly reports: Readonly<Record<string, Reporter>>
}

export type Reporter = string | (Unprinted & { readonly run: string })

const NODE_EVENTS = `export default async function* (source) {
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { name, file, line, skip, todo, details } = data
    const error = details.error
    const cause = error?.cause ?? error
    yield JSON.stringify({
      ok: type === 'test:pass', name, file, line, skip, todo,
      suite: details.type === 'suite',
      sumsUp: error?.failureType === 'subtestsFailed',
      stack: cause?.stack ?? '',
      message: cause?.message ?? (cause === undefined ? '' : String(cause)),
    }) + '\\n'
  }
}
`

const TAPE_OBJECTS = `const { appendFileSync } = require('node:fs')
const stream = require('tape').createStream({ objectMode: true })
stream.on('data', (row) => appendFileSync(process.env.MACHINE, JSON.stringify(row) + '\\n'))
require('./test/sum.js')
`

const UNITTEST_RESULTS = `import json, os, traceback, unittest

out = open(os.environ["MACHINE"], "w")


def write(id, outcome, err=None):
    frames = [] if err is None else traceback.extract_tb(err[2])
    ours = [f for f in frames if f.filename.startswith(os.getcwd() + "/tests")]
    place = {"file": ours[0].filename, "line": ours[0].lineno} if ours else {"file": None, "line": None}
    print(json.dumps({"id": id, "outcome": outcome, "message": str(err[1]) if err else "", **place}), file=out)


def name(test):
    hook = getattr(test, "description", None)
    if hook is not None:
        return ".".join(reversed([part.rstrip(")") for part in hook.split(" (")]))
    return test.id().replace("unittest.loader._FailedTest.", "unittest.loader._FailedTest.")


class Result(unittest.TestResult):
    def addSuccess(self, test):
        write(name(test), "passed")

    def addExpectedFailure(self, test, err):
        write(name(test), "passed")

    def addSkip(self, test, reason):
        write(name(test), "skipped")

    def addFailure(self, test, err):
        write(name(test), "failed", err)

    addError = addFailure

    def addUnexpectedSuccess(self, test):
        write(name(test), "failed")

    def addSubTest(self, test, subtest, err):
        if err is not None:
            write(subtest.id(), "failed", err)


unittest.defaultTestLoader.discover("tests", top_level_dir=".").run(Result())
`

const XML = '"$LONGHAUL_TEST_REPORT"'
const PYTEST = 'python -m pytest -p no:cacheprovider'
const GO_PACKAGES = '. ./good ./empty ./nobuild ./panics'

/** Frameworks and reporters that are compared. */
export const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'vitest',
    tool: 'vitest',
    suite: script.vitestSuite,
    machine: 'vitest run --reporter=json --outputFile="$MACHINE"',
    truth: truth.jestTruth,
    outputs: {
      default: 'vitest run',
      verbose: 'vitest run --reporter=verbose',
      dot: 'vitest run --reporter=dot',
    },
    reports: {
      json: { run: `vitest run --reporter=json --outputFile=${XML}` },
      junit: { run: `vitest run --reporter=junit --outputFile=${XML}` },
    },
  },
  {
    name: 'jest',
    tool: 'jest',
    suite: script.jestSuite,
    machine: 'jest --json --outputFile="$MACHINE"',
    truth: truth.jestTruth,
    outputs: { default: 'jest', verbose: 'jest --verbose' },
    reports: { json: `jest --json --outputFile=${XML}` },
  },
  {
    name: 'jest-projects',
    tool: 'jest',
    suite: script.jestProjectsSuite,
    machine: 'jest --json --outputFile="$MACHINE"',
    truth: truth.jestTruth,
    outputs: { default: 'jest' },
    reports: { json: `jest --json --outputFile=${XML}` },
  },
  {
    name: 'mocha',
    tool: 'mocha',
    suite: script.mochaSuite,
    machine: 'mocha --reporter json --reporter-option output="$MACHINE"',
    truth: truth.mochaTruth,
    outputs: { spec: 'mocha', dot: 'mocha --reporter dot' },
    reports: {
      json: `mocha --reporter json --reporter-option output=${XML}`,
      xunit: { run: `mocha --reporter xunit --reporter-option output=${XML}`, places: true },
    },
  },
  {
    name: 'node',
    tool: 'node',
    suite: script.nodeSuite,
    extra: { 'events.mjs': NODE_EVENTS },
    machine: 'node --test --test-reporter=./events.mjs --test-reporter-destination="$MACHINE"',
    truth: truth.nodeTruth,
    outputs: { spec: 'node --test --test-reporter=spec', tap: 'node --test --test-reporter=tap' },
    reports: {
      tap: `node --test --test-reporter=tap --test-reporter-destination=${XML}`,
      junit: { run: `node --test --test-reporter=junit --test-reporter-destination=${XML}`, places: true },
    },
  },
  {
    name: 'tape',
    tool: 'tape',
    suite: script.tapeSuite,
    extra: { 'objects.cjs': TAPE_OBJECTS },
    machine: 'node objects.cjs',
    truth: truth.tapeTruth,
    outputs: { tap: 'tape test/*.js' },
    reports: {},
  },
  {
    name: 'pytest',
    tool: 'pytest',
    suite: python.pytestSuite,
    machine: `${PYTEST} -o junit_family=xunit1 --junitxml="$MACHINE"`,
    truth: truth.pytestTruth,
    outputs: {
      auto: PYTEST,
      quiet: `${PYTEST} -q`,
      verbose: `${PYTEST} -v`,
      long: `${PYTEST} --tb=long`,
      short: `${PYTEST} --tb=short`,
      line: { run: `${PYTEST} --tb=line`, lines: true },
      native: `${PYTEST} --tb=native`,
      none: { run: `${PYTEST} --tb=no`, lines: true },
    },
    reports: {
      xunit1: { run: `${PYTEST} -o junit_family=xunit1 --junitxml=${XML}`, lines: true },
      xunit2: { run: `${PYTEST} --junitxml=${XML}`, places: true },
    },
  },
  {
    name: 'pytest-broken',
    tool: 'pytest',
    suite: python.pytestBrokenSuite,
    machine: `${PYTEST} -o junit_family=xunit1 --junitxml="$MACHINE"`,
    truth: truth.pytestTruth,
    outputs: { auto: PYTEST, short: `${PYTEST} --tb=short` },
    reports: {},
  },
  {
    name: 'unittest',
    tool: 'python',
    suite: python.unittestSuite,
    extra: { 'results.py': UNITTEST_RESULTS },
    machine: 'python3 results.py',
    truth: truth.unittestTruth,
    outputs: {
      default: 'python3 -m unittest discover -t . -s tests',
      verbose: 'python3 -m unittest discover -v -t . -s tests',
    },
    reports: {},
  },
  {
    name: 'go',
    tool: 'go',
    suite: compiled.goSuite,
    machine: 'go test -json ./... > "$MACHINE" 2>&1',
    truth: truth.goTruth,
    outputs: { json: 'go test -json ./...' },
    reports: { json: `go test -json ./... > ${XML} 2>&1` },
  },
  {
    name: 'go-text',
    tool: 'go',
    suite: compiled.goSuite,
    machine: `go test -json ${GO_PACKAGES} > "$MACHINE" 2>&1`,
    truth: truth.goTruth,
    outputs: {
      default: { run: `go test ${GO_PACKAGES}`, counts: true },
      verbose: `go test -v ${GO_PACKAGES}`,
    },
    reports: {},
  },
  {
    name: 'cargo',
    tool: 'cargo',
    suite: compiled.cargoSuite,
    machine:
      'RUSTC_BOOTSTRAP=1 cargo test --no-fail-fast -- --format json -Z unstable-options > "$MACHINE" 2>/dev/null',
    truth: truth.cargoTruth,
    outputs: { default: 'cargo test --no-fail-fast', quiet: 'cargo test --no-fail-fast --quiet' },
    reports: {},
  },
]
