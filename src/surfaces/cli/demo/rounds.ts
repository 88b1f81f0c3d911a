import * as sources from './sources.ts'

/** What the demo's agent does about a prompt; the first that fits is played. */
export interface DemoRound {
  readonly task: string
  /** Only in the session with this number. */
  readonly session?: number
  /** Only at the prompt with this number in its session. */
  readonly round?: number
  readonly steps: readonly DemoStep[]
  /** Tokens in its context at first. */
  readonly context: number
  /** Tokens in its context after its first file: a full window. */
  readonly fullContext?: number
  /** Seconds of the usage limit that it meets at first. */
  readonly limitSeconds?: number
}

export type DemoStep =
  | { readonly say: string }
  | { readonly write: { readonly path: string; readonly text: string } }
  | { readonly run: string }
  | { readonly report: 'done' }

/** The note of the session whose window is full. */
export const NOTE = `<hand-off>
## Goal
parse refuses what is no duration.
## Completed
- src/errors.js: NotADuration
## Remaining
1. A test for it.
2. src/parse.js throws it; a test for that.
## Do not redo
- src/errors.js is as it should be.
## Decisions
- The error names the text, so that people find it.
</hand-off>`

/** Everything the agent does in the demo. */
export const ROUNDS: readonly DemoRound[] = [
  // Forgets that an hour has 60 minutes, and does not try it: our own check finds it.
  {
    task: 'parse',
    round: 1,
    context: 21_000,
    steps: [test('parse', sources.PARSE_TEST), source('parse', sources.PARSE_WRONG), done()],
  },
  { task: 'parse', context: 26_000, steps: [source('parse', sources.PARSE), ...tried()] },
  // Meets a usage limit: it is parked and goes on in the same session when the limit is over.
  {
    task: 'format',
    context: 23_000,
    limitSeconds: 4,
    steps: [source('format', sources.FORMAT), test('format', sources.FORMAT_TEST), ...tried()],
  },
  {
    task: 'compare',
    context: 19_000,
    steps: [source('compare', sources.COMPARE), test('compare', sources.COMPARE_TEST), ...tried()],
  },
  { task: 'sum', context: 18_000, steps: [source('sum', sources.SUM), test('sum', sources.SUM_TEST), ...tried()] },
  // Its window is full after the first file: it writes a note, and a fresh session does the rest.
  {
    task: 'strict',
    session: 1,
    context: 160_000,
    fullContext: 208_000,
    steps: [source('errors', sources.ERRORS), { run: 'git status --short' }, ...strictRest()],
  },
  { task: 'strict', context: 24_000, steps: strictRest() },
  { task: 'api', context: 15_000, steps: [source('index', sources.INDEX), ...tried()] },
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
    ...tried(),
  ]
}

function tried(): readonly DemoStep[] {
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
