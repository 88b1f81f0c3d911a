import { type GoMessage, goError, goLog } from './go-lines.ts'
import type { Runs } from './runs.ts'

/** Reads the events of `go test -json`: a test counts when an event says that it ran. */
export class GoEvents {
  isInUse = false
  readonly #runs: Runs
  readonly #packages = new Map<string, GoPackage>()
  readonly #buildErrors = new Map<string, GoMessage>()

  constructor(runs: Runs) {
    this.#runs = runs
  }

  /** Reads one line; true when it ends a package. */
  read(line: string): boolean {
    const event = line.includes('"Action":"') ? parseEvent(line) : null
    if (event === null) return false
    if (event.Action === 'build-output') return this.#readBuild(event)
    const { Package: name, Test: test, Action: action } = event
    if (name === undefined) return false
    const known = this.#packages.get(name)
    // Everything of a package comes after its first event; other JSON may look like an end.
    if (known === undefined && test === undefined && event.Time === undefined) return false
    this.isInUse = true
    const pack = known ?? this.#begin(name)
    if (action === 'output') readOutput(pack, test, event.Output ?? '')
    else if (test === undefined) return ENDS.has(action) && this.#endPackage(name, pack, event)
    else if (action === 'run') pack.tests.set(test, NEW_TEST())
    else if (ENDS.has(action)) endTest(pack, test, action)
    return false
  }

  #begin(name: string): GoPackage {
    const pack: GoPackage = { tests: new Map(), parents: new Set(), output: null }
    this.#packages.set(name, pack)
    return pack
  }

  #readBuild({ ImportPath = '', Output = '' }: GoEvent): false {
    const error = goError(Output.trimEnd())
    const name = ImportPath.split(' ')[0] ?? ''
    if (error !== null && !this.#buildErrors.has(name)) this.#buildErrors.set(name, error)
    return false
  }

  #endPackage(name: string, pack: GoPackage, event: GoEvent): true {
    const { tally } = this.#runs
    let failed = 0
    for (const [test, { outcome, message }] of pack.tests) {
      if (pack.parents.has(test)) continue
      // A test that never ended was running when its program crashed.
      if (outcome === 'pass' || outcome === 'skip') {
        tally.addNamed(outcome === 'pass' ? 'passed' : 'skipped', `${name} ${test}`)
        continue
      }
      failed += 1
      tally.failed += 1
      const draft = tally.open(`${name} ${test}`)
      if (draft !== null && message !== null) Object.assign(draft, placed(message, name))
    }
    if (event.Action === 'fail' && failed === 0) this.#failWhole(name, pack)
    tally.lasted(Math.round((event.Elapsed ?? Number.NaN) * 1000))
    this.#packages.delete(name)
    this.#runs.end()
    return true
  }

  #failWhole(name: string, { output }: GoPackage): void {
    const { tally } = this.#runs
    tally.failed += 1
    const draft = tally.open(name)
    const error = this.#buildErrors.get(name) ?? output
    if (draft !== null && error !== null) Object.assign(draft, error)
  }
}

interface GoPackage {
  readonly tests: Map<string, GoTest>
  /** Tests with subtests, which only sum them up. */
  readonly parents: Set<string>
  output: GoMessage | { readonly message: string } | null
}

interface GoTest {
  outcome: string | null
  message: GoMessage | { readonly message: string } | null
}

const NEW_TEST = (): GoTest => ({ outcome: null, message: null })

function endTest({ tests, parents }: GoPackage, name: string, action: string): void {
  const test = tests.get(name)
  if (test === undefined) return
  test.outcome = action
  for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) parents.add(name.slice(0, end))
}

function readOutput(pack: GoPackage, name: string | undefined, output: string): void {
  const line = output.trimEnd()
  const test = name === undefined ? undefined : pack.tests.get(name)
  const log = goLog(line)
  const place = test ?? pack
  const key = test === undefined ? 'output' : 'message'
  const known = (place as unknown as Record<string, unknown>)[key] as GoTest['message']
  if (log !== null && (known === null || !('file' in known))) {
    Object.assign(place, { [key]: { ...log, message: log.message || (known?.message ?? '') } })
  } else if (line.startsWith('panic: ') && known === null) Object.assign(place, { [key]: { message: line } })
}

/** Puts a bare file name of a log line below its package. */
export function placed<M extends { readonly message: string }>(message: M, pack: string): M {
  const { file } = message as { readonly file?: string }
  return file === undefined || file.includes('/') ? message : { ...message, file: `${pack}/${file}` }
}

interface GoEvent {
  readonly Action: string
  readonly Time?: string
  readonly Package?: string
  readonly ImportPath?: string
  readonly Test?: string
  readonly Output?: string
  readonly Elapsed?: number
}

function parseEvent(line: string): GoEvent | null {
  try {
    return JSON.parse(line) as GoEvent
  } catch {
    return null // cut off, or JSON of another program
  }
}

const ENDS = new Set(['pass', 'fail', 'skip'])
