import type { LineReader } from './tally.ts'

/** Reads the share of lines that tests cover, in the tables of Istanbul, V8, node:test and coverage.py, and from Go. */
export class CoverageReader implements LineReader {
  readonly starts = 'AaTtco#ℹ\t{'
  readonly indented = ''
  readonly isOpen = false
  /** Of several parts the least covered one counts: their sizes are not told. */
  #lowest: number | null = null
  #total: number | null = null

  get share(): number | null {
    return this.#total ?? this.#lowest
  }

  take(line: string): boolean {
    this.#read(line)
    return false
  }

  #read(line: string): void {
    switch (line.charCodeAt(0)) {
      case CAPITAL_A:
        this.#takeCell(ISTANBUL.exec(line))
        return
      case SMALL_A:
      case HASH:
      case INFORMATION:
        if (line.includes('all files')) this.#takeCell(NODE.exec(line))
        return
      case CAPITAL_T:
        this.#takeCell(PYTHON.exec(line))
        return
      case SMALL_T:
        this.#total = percent(GO_TOTAL.exec(line)) ?? this.#total
        return
      case SMALL_C:
      case SMALL_O:
      case TAB:
      case BRACE:
        if (line.includes('% of statements')) this.#takeCell(GO.exec(line))
    }
  }

  #takeCell(found: RegExpExecArray | null): void {
    const share = percent(found)
    if (share !== null) this.#lowest = Math.min(share, this.#lowest ?? 1)
  }
}

function percent(found: RegExpExecArray | null): number | null {
  const value = found === null ? Number.NaN : Number(found[1])
  return Number.isFinite(value) ? Math.round(value * 100) / 10_000 : null
}

const INFORMATION = 'ℹ'.charCodeAt(0)
const [TAB, HASH, CAPITAL_A, CAPITAL_T] = [0x09, 0x23, 0x41, 0x54]
const [SMALL_A, SMALL_C, SMALL_O, SMALL_T, BRACE] = [0x61, 0x63, 0x6f, 0x74, 0x7b]
const ISTANBUL = /^All files *\|(?:[^|]*\|){3} *([\d.]+) *\|/
const NODE = /^(?:[ℹ#] )?all files *\| *([\d.]+) *\|/
const PYTHON = /^TOTAL(?:\s+\d+)+\s+([\d.]+)%$/
const GO = /coverage: ([\d.]+)% of statements/
const GO_TOTAL = /^total:\s+\(statements\)\s+([\d.]+)%$/
