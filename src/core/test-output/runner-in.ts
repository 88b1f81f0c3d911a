/** Returns the test framework that a command runs, or null when it names none, or several. */
export function runnerIn(command: string): string | null {
  const named = RUNNERS.filter(([, pattern]) => pattern.test(command)).map(([framework]) => framework)
  return named.length === 1 ? (named[0] ?? null) : null
}

const RUNNERS: readonly (readonly [framework: string, pattern: RegExp])[] = [
  ['vitest', word('vitest')],
  ['jest', word('jest')],
  ['mocha', word('_?mocha')],
  ['node:test', /(?:^|\s)node\b[^;&|]*\s--test(?:\s|$)/],
  ['tap', word('tape|ava --tap|tap')],
  ['pytest', word('pytest|py\\.test')],
  ['unittest', /(?:^|\s)(?:-m unittest|manage\.py test)(?:\s|$)/],
  ['go', word('go test')],
  ['cargo', word('cargo test')],
]

function word(name: string): RegExp {
  return new RegExp(`(?:^|[\\s/;&|(])(?:${name})(?=$|[\\s;&|)])`)
}
