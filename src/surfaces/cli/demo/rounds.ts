import * as sources from './sources.ts'

/** Reaction of the demo's agent to a prompt; the first match is played. */
export interface DemoRound {
  readonly task: string
  /** Session number to match; any when left out. */
  readonly session?: number
  /** Prompt number within its session to match; any when left out. */
  readonly round?: number
  readonly steps: readonly DemoStep[]
  /** Tokens in the context at the start. */
  readonly context: number
  /** Tokens in the context after the first file: a full window. */
  readonly fullContext?: number
  /** Length of the usage limit that it hits first. */
  readonly limitSeconds?: number
}

export type DemoStep =
  | { readonly say: string }
  | { readonly write: { readonly path: string; readonly text: string } }
  | { readonly run: string }
  | { readonly report: 'done' }

/** Hand-off note of the session whose window is full. */
export const NOTE = `<hand-off>
## Goal
parse refuses text that is not a duration.
## Completed
- src/errors.js: NotADuration
## Remaining
1. A test for it.
2. src/parse.js throws it; a test for that.
## Do not redo
- src/errors.js is finished.
## Decisions
- The error names the text, so that people find it.
</hand-off>`

/** All rounds of the demo. */
export const ROUNDS: readonly DemoRound[] = [
  // Treats an hour as 60 seconds and does not test it: our check catches it.
  {
    task: 'parse',
    round: 1,
    context: 21_000,
    steps: [test('parse', sources.PARSE_TEST), source('parse', sources.PARSE_WRONG), done()],
  },
  { task: 'parse', context: 26_000, steps: [source('parse', sources.PARSE), ...testedAndDone()] },
  // Hits a usage limit: it is parked, and resumes in the same session when the limit is over.
  {
    task: 'format',
    context: 23_000,
    limitSeconds: 4,
    steps: [source('format', sources.FORMAT), test('format', sources.FORMAT_TEST), ...testedAndDone()],
  },
  {
    task: 'compare',
    context: 19_000,
    steps: [source('compare', sources.COMPARE), test('compare', sources.COMPARE_TEST), ...testedAndDone()],
  },
  {
    task: 'sum',
    context: 18_000,
    steps: [source('sum', sources.SUM), test('sum', sources.SUM_TEST), ...testedAndDone()],
  },
  // Fills its window after the first file: it writes a note, and a fresh session does the rest.
  {
    task: 'strict',
    session: 1,
    context: 160_000,
    fullContext: 208_000,
    steps: [source('errors', sources.ERRORS), { run: 'git status --short' }, ...strictRest()],
  },
  { task: 'strict', context: 24_000, steps: strictRest() },
  { task: 'api', context: 15_000, steps: [source('index', sources.INDEX), ...testedAndDone()] },
  {
    task: 'cli',
    context: 17_000,
    steps: [write('bin/durations.js', sources.COMMAND), { run: 'node bin/durations.js 90m' }, done()],
  },
  { task: 'types', context: 14_000, steps: [write('src/index.d.ts', sources.TYPES), done()] },
  { task: 'readme', context: 13_000, steps: [write('README.md', sources.README), done()] },
  { task: 'changelog', context: 12_000, steps: [write('CHANGELOG.md', sources.CHANGELOG), done()] },
]

function strictRest(): readonly DemoStep[] {
  return [
    test('errors', sources.ERRORS_TEST),
    source('parse', sources.PARSE_STRICT),
    test('strict', sources.STRICT_TEST),
    ...testedAndDone(),
  ]
}

function testedAndDone(): readonly DemoStep[] {
  return [{ run: 'node --test' }, done()]
}

function done(): DemoStep {
  return { report: 'done' }
}

function write(path: string, text: string): DemoStep {
  return { write: { path, text } }
}

function source(name: string, text: string): DemoStep {
  return write(`src/${name}.js`, text)
}

function test(name: string, text: string): DemoStep {
  return write(`test/${name}.test.js`, text)
}
