import type { Framework } from './pairs.ts'
import type { Suite } from './suite.ts'

/** A suite that covers a part of its lines, with the share according to the runner's own file. */
export interface CoverageRun {
  readonly name: string
  readonly tool: Framework['tool']
  readonly suite: Suite
  /** Prints coverage, and writes it to $MACHINE. */
  readonly run: string
  readonly share: (machine: string) => number
}

const SUM = 'function add(a, b) {\n  return a + b\n}\nfunction never() {\n  const a = 1\n  return a\n}\n'
const LIE = 'All files | 100 | 100 | 100 | 100 |'

export const COVERAGES: readonly CoverageRun[] = [
  {
    name: 'jest',
    tool: 'jest',
    suite: {
      'package.json': '{ "jest": { "testEnvironment": "node" } }',
      'src/sum.js': `${SUM}module.exports = { add, never }\n`,
      'src/sum.test.js': `const { add } = require('./sum.js')\ntest('adds', () => {\n  console.log('${LIE}')\n  add(1, 2)\n})\n`,
    },
    run: 'jest --coverage --coverageReporters=text --coverageReporters=json-summary --coverageDirectory=out; cp out/coverage-summary.json "$MACHINE"',
    share: (machine) => JSON.parse(machine).total.lines.pct / 100,
  },
  {
    name: 'node',
    tool: 'node',
    suite: {
      'package.json': '{ "type": "module" }',
      'src/sum.js': `${SUM}export { add, never }\n`,
      'sum.test.js':
        "import { test } from 'node:test'\nimport { add } from './src/sum.js'\ntest('adds', () => {\n  add(1, 2)\n})\n",
    },
    run: 'node --test --experimental-test-coverage --test-reporter=spec --test-reporter-destination=stdout --test-reporter=lcov --test-reporter-destination="$MACHINE"',
    share: (machine) => sumOf(machine, /^LH:(\d+)$/gm) / sumOf(machine, /^LF:(\d+)$/gm),
  },
  {
    name: 'pytest',
    tool: 'pytest',
    suite: {
      'pyproject.toml': '[project]\nname = "words"\nversion = "1"\n',
      'words.py': 'def add(a, b):\n    return a + b\n\n\ndef never():\n    a = 1\n    return a\n',
      'test_words.py': 'import words\n\n\ndef test_adds():\n    words.add(1, 2)\n',
    },
    run: 'python -m pytest -p no:cacheprovider --cov=words --cov-report=term --cov-report=json:"$MACHINE"',
    share: (machine) => JSON.parse(machine).totals.percent_covered / 100,
  },
  {
    name: 'go',
    tool: 'go',
    suite: {
      'go.mod': 'module example.com/words\n\ngo 1.19\n',
      'sum.go':
        'package words\n\nfunc Add(a, b int) int {\n\treturn a + b\n}\n\nfunc Never() int {\n\ta := 1\n\treturn a\n}\n',
      'sum_test.go': 'package words\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {\n\tAdd(1, 2)\n}\n',
    },
    run: 'go test -json -coverprofile="$MACHINE" ./...',
    share: goShare,
  },
]

/** Reads a profile's lines: "file:3.24,5.2 STATEMENTS COUNT". */
function goShare(machine: string): number {
  const blocks = [...machine.matchAll(/ (\d+) (\d+)$/gm)].map(
    ([, statements, count]) => [Number(statements), Number(count)] as const,
  )
  const total = blocks.reduce((sum, [statements]) => sum + statements, 0)
  return blocks.filter(([, count]) => count > 0).reduce((sum, [statements]) => sum + statements, 0) / total
}

function sumOf(text: string, counted: RegExp): number {
  return [...text.matchAll(counted)].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Difference that printed percentages may have, which some runners round to whole numbers. */
export const ROUNDING = 0.0051
