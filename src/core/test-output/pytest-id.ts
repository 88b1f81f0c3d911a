/** A failed test of pytest's list: "tests/test_a.py::TestB::test_c[x - y] - message". */
export interface PytestId {
  readonly file: string
  /** Null when the whole file failed. */
  readonly name: string | null
  readonly message: string
}

/** Splits a line of pytest's list; parameters may contain " - " and "::". */
export function pytestId(text: string, isTitle: (title: string) => boolean): PytestId {
  const [, file = '', rest = ''] = FILE.exec(text) ?? [null, text, '']
  if (!rest.startsWith('::')) return { file, name: null, message: rest.slice(SEPARATOR.length) }
  const named = rest.slice(2)
  const end = endOfName(named, isTitle)
  return { file, name: named.slice(0, end), message: named.slice(end + SEPARATOR.length) }
}

/** Finds the end of the name: where a known title ends, or else the first separator outside of brackets. */
function endOfName(named: string, isTitle: (title: string) => boolean): number {
  const ends: number[] = []
  for (let at = named.indexOf(SEPARATOR); at >= 0; at = named.indexOf(SEPARATOR, at + 1)) ends.push(at)
  ends.push(named.length)
  const known = ends.find((end) => isTitle(dotted(named.slice(0, end))))
  return known ?? ends.find((end) => isClosed(named.slice(0, end))) ?? named.length
}

function dotted(name: string): string {
  const start = name.indexOf('[')
  return start < 0 ? name.replaceAll('::', '.') : name.slice(0, start).replaceAll('::', '.') + name.slice(start)
}

function isClosed(name: string): boolean {
  return !name.includes('[') || name.endsWith(']')
}

const SEPARATOR = ' - '
const FILE = /^(.+?\.py)(::.*| - .*|)$/
