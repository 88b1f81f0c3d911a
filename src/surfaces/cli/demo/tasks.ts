/** The backlog of the demo, as its tasks.yaml holds it. */
export const TASKS = {
  milestones: [
    { id: 'parts', title: 'The parts' },
    { id: 'whole', title: 'A library that can be used' },
  ],
  tasks: [
    {
      id: 'parse',
      title: 'Read durations such as "1h 30m"',
      milestone: 'parts',
      brief: 'Add parse(text) in src/parse.js: seconds for text such as "1h 30m". Add a test.',
      acceptance: ['parse("1h 30m") is 5400'],
    },
    {
      id: 'format',
      title: 'Write durations such as "1h 30m"',
      milestone: 'parts',
      brief: 'Add format(seconds) in src/format.js, the opposite of parse. Add a test.',
    },
    {
      id: 'compare',
      title: 'Tell which of two durations is longer',
      milestone: 'parts',
      after: ['parse'],
      brief: 'Add longer(a, b) in src/compare.js; it takes texts. Add a test.',
    },
    {
      id: 'api',
      title: 'One place to import everything from',
      milestone: 'whole',
      weight: 'trivial',
      brief: 'Export everything from src/index.js.',
    },
    {
      id: 'cli',
      title: 'A command that tidies a duration up',
      milestone: 'whole',
      after: ['api'],
      brief: 'Add bin/durations.js: prints its argument in the shortest form.',
      verify: ['test "$(node bin/durations.js 90m)" = "1h 30m"'],
    },
    {
      id: 'readme',
      title: 'Say in the README how it is used',
      milestone: 'whole',
      after: ['api'],
      weight: 'trivial',
      brief: 'Show parse, format and longer with one line each.',
    },
    {
      id: 'changelog',
      title: 'Write the changelog of 0.1.0',
      milestone: 'whole',
      after: ['cli', 'readme'],
      weight: 'trivial',
      brief: 'List what 0.1.0 can do in CHANGELOG.md.',
    },
  ],
} as const
