import type { LineReader } from './line-readers.ts'

/** Reads line coverage from the tables of Istanbul, V8, node:test and coverage.py, and from Go. */
export class CoverageReader implements LineReader {
  readonly starts = 'Aa#ℹTtco\t{'
  readonly isOpen = false
  // Sizes are not printed, so the least covered of several packages counts.
  #lowest: number | null = null
  #total: number | null = null

  /** Share of covered lines; null when none was printed. */
  get share(): number | null {
    return this.#total ?? this.#lowest
  }

  read(line: string): false {
    this.#read(line)
    return false
  }

  #read(line: string): void {
    switch (line.charAt(0)) {
      case 'A':
        this.#takeCell(ISTANBUL.exec(line))
        return
      case 'a':
      case '#':
      case 'ℹ':
        if (line.includes('all files')) this.#takeCell(NODE.exec(line))
        return
      case 'T':
        this.#takeCell(PYTHON.exec(line))
        return
      case 't':
        this.#total = percent(GO_TOTAL.exec(line)) ?? this.#total
        return
      case 'c':
      case 'o':
      case '\t':
      case '{':
        if (line.includes('% of statements')) this.#takeCell(GO.exec(line))
    }
  }

  #takeCell(cell: RegExpExecArray | null): void {
    const share = percent(cell)
    if (share !== null) this.#lowest = Math.min(share, this.#lowest ?? 1)
  }
}

function percent(cell: RegExpExecArray | null): number | null {
  const value = cell === null ? Number.NaN : Number(cell[1])
  return Number.isFinite(value) ? Math.round(value * 100) / 10_000 : null
}

const ISTANBUL = /^All files *\|(?:[^|]*\|){3} *([\d.]+) *\|/
const NODE = /^(?:[ℹ#] )?all files *\| *([\d.]+) *\|/
const PYTHON = /^TOTAL(?:\s+\d+)+\s+([\d.]+)%$/
const GO = /coverage: ([\d.]+)% of statements/
const GO_TOTAL = /^total:\s+\(statements\)\s+([\d.]+)%$/
