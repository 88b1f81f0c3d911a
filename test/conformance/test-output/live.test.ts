import { join } from 'node:path'
import { expect, test } from 'vitest'
import { differences } from './compare.ts'
import { FRAMEWORKS } from './pairs.ts'
import { findIn, type Installed, inSuite, readOutput, readWritten } from './run-suite.ts'

const ROOT = join(import.meta.dirname, '../../..')
const NONE: Installed = { path: [], modules: null, env: {}, hidden: [] }
const HAS_PYTHON = findIn((process.env.PATH ?? '').split(':'), 'python3') !== null

// Runners that are there anyway; the others are compared by "npm run test-output-matrix".
const LIVE: readonly (readonly [framework: string, command: string, installed: Installed])[] = [
  [
    'node',
    'node --test --test-reporter=./events.mjs --test-reporter-destination="$MACHINE" --test-reporter=spec --test-reporter-destination=stdout --test-reporter=tap --test-reporter-destination="$LONGHAUL_TEST_REPORT"',
    NONE,
  ],
  [
    'vitest',
    'vitest run --reporter=default --reporter=json --outputFile.json="$MACHINE" --reporter=junit --outputFile.junit="$LONGHAUL_TEST_REPORT"',
    { ...NONE, path: [join(ROOT, 'node_modules/.bin')], modules: join(ROOT, 'node_modules') },
  ],
  ...(HAS_PYTHON
    ? ([['unittest', 'python3 results.py; python3 -m unittest discover -t . -s tests', NONE]] as const)
    : []),
]

test.each(LIVE)('%s is read as it reports itself', (name, command, installed) => {
  const framework = FRAMEWORKS.find((one) => one.name === name)
  if (framework === undefined) throw new Error(`${name} is not compared`)
  const { machine, output, report } = inSuite(framework, installed, (run) => run(command))
  const truth = framework.truth(machine)
  const reads = [
    readOutput(output, framework.suite, command),
    ...(report === '' ? [] : [readWritten(report, framework.suite)]),
  ]
  expect(reads.flatMap((read) => differences(read, truth))).toEqual([])
})
