import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type LedgerId, type RunId, runLedger } from '../../../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../../../core/model/problem.ts'
import type { ExportHeader } from '../../../ports/run-exports.ts'
import type { Store } from '../../../ports/store.ts'
import { upcast } from '../upcast.ts'
import { damaged, factSchema, LAYOUT } from './layout.ts'

/** Imports an export's facts and texts into a store; summaries come last, so an interrupted import shows no run without its facts. */
export async function takeIn(
  folder: string,
  header: ExportHeader,
  store: Store,
  summary: (run: RunId) => Promise<unknown>,
): Promise<Problem | null> {
  const writers = new Map<LedgerId, Writer>()
  let blobs: ReadonlyMap<string, string> | undefined = await readBlobs(folder, header)
  for await (const facts of together(readFacts(folder))) {
    if (isProblem(facts)) return facts
    const [{ ledger, seq }] = facts
    const writer = writers.get(ledger) ?? (await Writer.open(store, ledger))
    writers.set(ledger, writer)
    const failed = await writer.put(facts, blobs)
    if (failed !== null) return failed === 'gap' ? damaged(folder, `${ledger} has a gap at ${seq}`) : failed
    blobs = undefined
  }
  const lacking = header.runs.find(({ run }) => !writers.has(runLedger(run)))
  if (lacking !== undefined) return damaged(folder, `the facts of run ${lacking.run} are missing`)
  for (const { run } of header.runs) {
    const failed = await writers.get(runLedger(run))?.finish({ run, row: await summary(run) })
    if (failed) return failed
  }
  return null
}

interface Fact {
  readonly ledger: LedgerId
  readonly seq: number
  readonly at: number
  readonly event: { readonly kind: string }
}

/** Consecutive facts of one ledger and one moment; they are appended together, as they were recorded. */
type Together = readonly [Fact, ...Fact[]]

const TOGETHER_MAX = 1_000

async function* together(facts: AsyncIterable<Fact | Problem>): AsyncGenerator<Together | Problem> {
  let group: [Fact, ...Fact[]] | null = null
  for await (const fact of facts) {
    if (isProblem(fact)) return yield fact
    const isNext: boolean =
      group !== null && group[0].ledger === fact.ledger && group[0].at === fact.at && group.length < TOGETHER_MAX
    if (isNext) group?.push(fact)
    else {
      if (group !== null) yield group
      group = [fact]
    }
  }
  if (group !== null) yield group
}

async function* readFacts(folder: string): AsyncGenerator<Fact | Problem> {
  const lines = createInterface({ input: createReadStream(join(folder, LAYOUT.facts)), crlfDelay: Infinity })
  let number = 0
  for await (const line of lines) {
    number += 1
    const parsed = factSchema.safeParse(jsonOf(line))
    if (!parsed.success) return yield damaged(folder, `line ${number} of ${LAYOUT.facts} is no fact`, parsed.error)
    const { ledger, seq, at, version, event } = parsed.data
    yield { ledger: ledger as LedgerId, seq, at, event: upcast({ ledger: ledger as LedgerId, version, body: event }) }
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null // reported as a line that is no fact
  }
}

async function readBlobs(folder: string, { files }: ExportHeader): Promise<ReadonlyMap<string, string>> {
  const paths = files.map(({ path }) => path).filter((path) => path.startsWith(`${LAYOUT.blobs}/`))
  const texts = paths.map(async (path) => [basename(path, '.txt'), await readFile(join(folder, path), 'utf8')] as const)
  return new Map(await Promise.all(texts))
}

/** Writes facts to one ledger, after those that an interrupted import has written. */
class Writer {
  readonly #store: Store
  readonly #ledger: LedgerId
  readonly #epoch: number
  readonly #there: readonly string[]
  #seq = 0

  private constructor(store: Store, ledger: LedgerId, epoch: number, there: readonly string[]) {
    this.#store = store
    this.#ledger = ledger
    this.#epoch = epoch
    this.#there = there
  }

  static async open(store: Store, ledger: LedgerId): Promise<Writer> {
    const { epoch } = await store.claim(ledger)
    const there: string[] = []
    for await (const chunk of store.read(ledger, 0)) for (const { event } of chunk) there.push(JSON.stringify(event))
    return new Writer(store, ledger, epoch, there)
  }

  async put(facts: Together, blobs: ReadonlyMap<string, string> | undefined): Promise<Problem | 'gap' | null> {
    const after = Math.max(this.#seq, this.#there.length)
    const events: Fact['event'][] = []
    for (const { seq, event } of facts) {
      if (seq !== this.#seq + 1) return 'gap'
      const known = this.#there[this.#seq]
      if (known !== undefined && known !== JSON.stringify(event)) return this.#other()
      if (known === undefined) events.push(event)
      this.#seq = seq
    }
    if (events.length === 0 && blobs === undefined) return null
    return this.#append({ after, at: facts[0].at, events, ...(blobs === undefined ? {} : { blobs }) })
  }

  finish(summary: { readonly run: RunId; readonly row: unknown }): Promise<Problem | null> {
    return this.#append({ after: Math.max(this.#seq, this.#there.length), at: 0, events: [], summary })
  }

  async #append(batch: Omit<Parameters<Store['append']>[0], 'ledger' | 'epoch'>): Promise<Problem | null> {
    const result = await this.#store.append({ ledger: this.#ledger, epoch: this.#epoch, ...batch })
    return result.kind === 'appended' ? null : this.#other()
  }

  #other(): Problem {
    return problem({
      code: 'ledger-taken',
      message: `The export was not imported: this repository has other facts under ${this.#ledger}.`,
      hint: 'Import the export into a fresh clone.',
      retry: 'person',
    })
  }
}
