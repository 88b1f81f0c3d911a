import type { Path } from '../../../core/reading/schema-faults.ts'

/** First syntax error in a JSON text. */
export interface JsonFault {
  readonly offset: number
  readonly expected: string
}

/** Called with each key and value and its path, which changes during the scan: copy it to keep it. */
export type Visit = (path: Path, offset: number, kind: 'key' | 'value') => 'continue' | 'stop'

/** Scans JSON text and reports the offset of each key and value, which JSON.parse does not. */
export function scanJson(text: string, visit: Visit): JsonFault | null {
  const scan: Scan = { text, visit, offset: 0, path: [], closers: [], isStopped: false }
  let state: State | JsonFault = 'value'
  while (typeof state === 'string') {
    if (scan.isStopped) return null
    scan.offset = endOf(SPACE, text, scan.offset)
    if (scan.offset === text.length && state === 'next' && scan.closers.length === 0) return null
    state = STEPS[state](scan)
  }
  return state
}

interface Scan {
  readonly text: string
  readonly visit: Visit
  offset: number
  isStopped: boolean
  readonly path: (string | number)[]
  /** Closing brackets that are still expected. */
  readonly closers: (']' | '}')[]
}

type State = 'value' | 'first-item' | 'first-key' | 'key' | 'colon' | 'next'

const STEPS: Record<State, (scan: Scan) => State | JsonFault> = {
  value: scanValue,
  'first-item': (scan) => (scan.text[scan.offset] === ']' ? close(scan) : scanValue(scan)),
  'first-key': (scan) => (scan.text[scan.offset] === '}' ? close(scan) : scanKey(scan)),
  key: scanKey,
  colon: scanColon,
  next: scanNext,
}

const SPACE = /[ \t\r\n]*/y
const PLAIN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

function scanValue(scan: Scan): State | JsonFault {
  const { text, offset, path } = scan
  const first = text[offset]
  if (first === undefined || !/["{[\-\dtfn]/.test(first)) return fault(scan, 'a value')
  scan.isStopped = scan.visit(path, offset, 'value') === 'stop'
  if (first === '{' || first === '[') return open(scan, first)
  if (first === '"') return scanString(scan) ?? 'next'
  scan.offset = endOf(PLAIN, text, offset)
  return scan.offset === offset ? fault(scan, 'a value') : 'next'
}

function open(scan: Scan, bracket: '{' | '['): State {
  scan.offset++
  scan.closers.push(bracket === '{' ? '}' : ']')
  scan.path.push(bracket === '{' ? '' : 0)
  return bracket === '{' ? 'first-key' : 'first-item'
}

function close(scan: Scan): State {
  scan.offset++
  scan.closers.pop()
  scan.path.pop()
  return 'next'
}

function scanKey(scan: Scan): State | JsonFault {
  const { text, offset, path } = scan
  if (text[offset] !== '"') return fault(scan, 'a key in double quotes')
  const broken = scanString(scan)
  if (broken !== null) return broken
  path[path.length - 1] = JSON.parse(text.slice(offset, scan.offset))
  scan.isStopped = scan.visit(path, offset, 'key') === 'stop'
  return 'colon'
}

function scanColon(scan: Scan): State | JsonFault {
  if (scan.text[scan.offset] !== ':') return fault(scan, '":" after a key')
  scan.offset++
  return 'value'
}

function scanNext(scan: Scan): State | JsonFault {
  const closer = scan.closers.at(-1)
  const got = scan.text[scan.offset]
  if (closer === undefined) return fault(scan, 'nothing more')
  if (got === closer) return close(scan)
  if (got !== ',') return fault(scan, `"," or "${closer}" after a value`)
  scan.offset++
  const position = scan.path.at(-1)
  if (typeof position === 'number') scan.path[scan.path.length - 1] = position + 1
  return closer === '}' ? 'key' : 'value'
}

function scanString(scan: Scan): JsonFault | null {
  scan.offset++
  for (;;) {
    while (isPlainCharacter(scan.text.charCodeAt(scan.offset))) scan.offset++
    const got = scan.text[scan.offset]
    const escaped = endOf(ESCAPE, scan.text, scan.offset)
    if (got === '\\' && escaped === scan.offset) return fault(scan, 'an escape that JSON knows')
    if (got !== '"' && got !== '\\') return fault(scan, 'a double quote at the end of the text')
    scan.offset = got === '"' ? scan.offset + 1 : escaped
    if (got === '"') return null
  }
}

// False for NaN, which stands for the end of the text.
function isPlainCharacter(code: number): boolean {
  return code >= 0x20 && code !== QUOTE && code !== BACKSLASH
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

function fault({ offset }: Scan, expected: string): JsonFault {
  return { offset, expected }
}

function endOf(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset
  return pattern.test(text) ? pattern.lastIndex : offset
}
