/** Results of a suite according to the runner's own machine-readable output. */
export interface Truth {
  readonly passed: readonly TrueTest[]
  readonly skipped: readonly TrueTest[]
  readonly failed: readonly TrueFailure[]
}

/** A test by the titles that lead to it; the last one is its own. */
export type TrueTest = readonly string[]

export interface TrueFailure {
  readonly titles: TrueTest
  /** Null when the runner does not name it. */
  readonly file: string | null
  readonly line: number | null
  readonly message: string
}

interface JestFile {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly assertionResults: readonly {
    readonly ancestorTitles: readonly string[]
    readonly title: string
    readonly status: string
    readonly failureMessages: readonly string[]
  }[]
}

/** Reads the JSON of Jest and Vitest. */
export function jestTruth(text: string): Truth {
  const files: readonly JestFile[] = JSON.parse(text).testResults
  const tests = files.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({
      status: test.status,
      titles: [...test.ancestorTitles, test.title],
      file: inRoot(name),
      stack: test.failureMessages[0] ?? '',
    })),
  )
  const those = (...statuses: readonly string[]) => tests.filter(({ status }) => statuses.includes(status))
  const isBroken = ({ status, assertionResults }: JestFile) =>
    status === 'failed' && !assertionResults.some((test) => test.status === 'failed')
  return {
    passed: those('passed').map(titlesOf),
    skipped: those('pending', 'skipped', 'todo').map(titlesOf),
    failed: [
      ...those('failed').map(({ titles, file, stack }) => ({
        titles,
        file,
        line: lineOf(stack, file),
        message: stack,
      })),
      ...files.filter(isBroken).map(({ name, message }) => ({ titles: [], file: inRoot(name), line: null, message })),
    ],
  }
}

function titlesOf({ titles }: { readonly titles: TrueTest }): TrueTest {
  return titles
}

interface MochaTest {
  readonly fullTitle: string
  readonly file: string
  readonly err: { readonly stack: string; readonly message: string }
}

/** Reads Mocha's JSON. */
export function mochaTruth(text: string): Truth {
  const { passes, pending, failures }: Readonly<Record<string, readonly MochaTest[]>> = JSON.parse(text)
  const titles = ({ fullTitle }: MochaTest) => [fullTitle]
  return {
    passed: (passes ?? []).map(titles),
    skipped: (pending ?? []).map(titles),
    failed: (failures ?? []).map((test) => ({
      titles: titles(test),
      file: inRoot(test.file),
      line: lineOf(test.err.stack, inRoot(test.file)),
      message: test.err.message,
    })),
  }
}

interface NodeEvent {
  readonly ok: boolean
  readonly name: string
  readonly file: string
  readonly line: number
  readonly skip?: unknown
  readonly todo?: unknown
  readonly suite: boolean
  /** True for a test that failed because of its subtests. */
  readonly sumsUp: boolean
  readonly stack: string
  readonly message: string
}

/** Reads the events of node:test, written by our reporter, one a line. */
export function nodeTruth(text: string): Truth {
  const events = jsonLines<NodeEvent>(text).filter(({ suite, sumsUp }) => !suite && !sumsUp)
  const titles = ({ name }: NodeEvent) => [inRoot(name)]
  return {
    passed: events.filter((event) => event.ok && !isLeftOut(event)).map(titles),
    skipped: events.filter(isLeftOut).map(titles),
    failed: events
      .filter((event) => !event.ok && !isLeftOut(event))
      .map((event) => {
        const file = inRoot(event.file)
        const line = lineOf(event.stack, file) ?? event.line
        return { titles: titles(event), file, line, message: event.message }
      }),
  }
}

function isLeftOut({ skip, todo }: { readonly skip?: unknown; readonly todo?: unknown }): boolean {
  return (skip !== undefined && skip !== false) || (todo !== undefined && todo !== false)
}

interface TapeRow {
  readonly type: string
  readonly id: number
  readonly name: string
  readonly ok?: boolean
  readonly skip?: unknown
  readonly todo?: unknown
  readonly test: number
  readonly file: string
  readonly line: number
}

/** Reads the rows of tape's stream of objects, one a line. */
export function tapeTruth(text: string): Truth {
  const rows = jsonLines<TapeRow>(text)
  const tests = new Map(rows.filter(({ type }) => type === 'test').map(({ id, name }) => [id, name]))
  const asserts = rows.filter(({ type }) => type === 'assert')
  const titles = ({ test, name }: TapeRow) => [tests.get(test) ?? '', name]
  const skipped = rows.filter(({ type, skip }) => type === 'test' && skip === true)
  return {
    passed: asserts.filter((row) => row.ok && !isLeftOut(row)).map(titles),
    skipped: [...skipped.map(({ name }) => [name]), ...asserts.filter(isLeftOut).map(titles)],
    failed: asserts
      .filter((row) => !row.ok && !isLeftOut(row))
      .map((row) => ({ titles: titles(row), file: inRoot(row.file), line: Number(row.line), message: '' })),
  }
}

interface UnittestResult {
  readonly id: string
  readonly outcome: string
  readonly file: string | null
  readonly line: number | null
  readonly message: string
}

/** Reads what our runner of unittest writes, one test a line. */
export function unittestTruth(text: string): Truth {
  const tests = jsonLines<UnittestResult>(text)
  const titles = ({ id }: UnittestResult) => [id]
  const those = (wanted: string) => tests.filter(({ outcome }) => outcome === wanted)
  return {
    passed: those('passed').map(titles),
    skipped: those('skipped').map(titles),
    failed: those('failed').map((test) => ({
      titles: titles(test),
      file: test.file === null ? null : inRoot(test.file),
      line: test.line,
      message: test.message,
    })),
  }
}

/** Reads pytest's JUnit XML of the first family, which has files. */
export function pytestTruth(text: string): Truth {
  const cases = [...text.matchAll(/<testcase ([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs)].map(([, head = '', body = '']) => {
    const file = attribute(head, 'file')
    const module = file.replace(/\.py$/, '').replaceAll('/', '.')
    const classes = attribute(head, 'classname').slice(module.length + 1)
    const titles = [...classes.split('.').filter(Boolean), attribute(head, 'name')]
    const [, kind = '', open = '', trace = ''] = /<(skipped|failure|error)\b([^>]*?)(?:\/>|>(.*?)<\/)/s.exec(body) ?? []
    const shown = attribute(open, 'message')
    // A file that cannot be imported is a case without a class.
    return {
      titles: attribute(head, 'classname') === '' ? [] : titles,
      file,
      kind,
      message: /^E +(.*)$/m.exec(shown === 'collection failure' ? decode(trace) : '')?.[1] ?? shown,
      trace: decode(trace),
    }
  })
  return {
    passed: cases.filter(({ kind }) => kind === '').map(titlesOf),
    skipped: cases.filter(({ kind }) => kind === 'skipped').map(titlesOf),
    failed: cases
      .filter(({ kind }) => kind === 'failure' || kind === 'error')
      .map(({ titles, file, message, trace }) => ({ titles, file, line: lineOf(trace, file), message })),
  }
}

/** Reads the events of `go test -json`; the innermost tests count, and packages that do not build. */
export function goTruth(text: string): Truth {
  const events = jsonLines<Readonly<Record<string, string>>>(text.replaceAll(/^(?!\{).*$/gm, ''))
  const key = ({ Package, Test }: Readonly<Record<string, string>>) => `${Package} ${Test}`
  const ran = new Set(events.filter(({ Action }) => Action === 'run').map(key))
  const isParent = (name: string) => [...ran].some((other) => other.startsWith(`${name}/`))
  const ended = (action: string) =>
    events.filter((event) => event.Action === action && ran.has(key(event)) && !isParent(key(event)))
  const unbuilt = [...text.matchAll(/^FAIL\t(\S+) \[build failed\]$/gm)].map(([, name = '']) => name)
  return {
    passed: ended('pass').map((event) => [key(event)]),
    skipped: ended('skip').map((event) => [key(event)]),
    failed: [
      ...ended('fail').map((event) => {
        const output = events
          .filter((one) => one.Action === 'output' && key(one) === key(event))
          .map((one) => one.Output)
        const [, file = null, line, message = ''] =
          /^\s+(\S+_test\.go):(\d+)(?:: (.*)| \+0x.*)$/m.exec(output.join('')) ?? []
        return {
          titles: [key(event)],
          file: file === null ? null : placeOf(file, event.Package ?? ''),
          line: line === undefined ? null : Number(line),
          message,
        }
      }),
      ...unbuilt.map((name) => {
        const [, file = '', line, message = ''] = new RegExp(`# ${name} .*\\n(\\S+):(\\d+):\\d+: (.*)`).exec(text) ?? []
        return { titles: [name], file, line: line === undefined ? null : Number(line), message }
      }),
    ],
  }
}

function placeOf(file: string, pack: string): string {
  return file.includes('/') ? inRoot(file) : `${pack}/${file}`.replace('example.com/words/', '')
}

interface CargoEvent {
  readonly type: string
  readonly event: string
  readonly name: string
  readonly message?: string
  readonly stdout?: string
}

/** Reads the JSON lines of Rust's test programs. */
export function cargoTruth(text: string): Truth {
  const tests = jsonLines<CargoEvent>(text.replaceAll(/^(?!\{ "type").*$/gm, '')).filter(({ type }) => type === 'test')
  const titles = ({ name }: CargoEvent) => [name]
  const those = (event: string) => tests.filter((test) => test.event === event)
  return {
    passed: those('ok').map(titles),
    skipped: those('ignored').map(titles),
    failed: those('failed').map((test) => {
      const output = `${test.message ?? ''}\n${test.stdout ?? ''}`
      const place = /(?:panicked|as expected) at (\S+?):(\d+):\d+:?\n(.*)/.exec(output)
      const message = place?.[3] || (test.message ?? '') || /^Error: .*$/m.exec(output)?.[0] || ''
      return { titles: titles(test), file: place?.[1] ?? null, line: place === null ? null : Number(place[2]), message }
    }),
  }
}

function jsonLines<Row>(text: string): readonly Row[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** Root of the suites in recordings. */
export const ROOT = '/words'

function inRoot(path: string): string {
  return path.replace(/^file:\/\//, '').replace(`${ROOT}/`, '')
}

function lineOf(text: string, file: string): number | null {
  const plain = text.replaceAll('file://', '').replaceAll(`${ROOT}/`, '')
  const at = plain.indexOf(`${inRoot(file)}:`)
  const line = at < 0 ? Number.NaN : Number.parseInt(plain.slice(at + inRoot(file).length + 1), 10)
  return Number.isNaN(line) ? null : line
}

function attribute(head: string, name: string): string {
  return decode(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(head)?.[1] ?? '')
}

function decode(text: string): string {
  const decoded = text.replaceAll('&#10;', '\n').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
  return decoded.replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&#39;', "'").replaceAll('&amp;', '&')
}
