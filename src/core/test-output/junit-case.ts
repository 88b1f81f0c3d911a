import { decodeEntities } from './xml-entities.ts'

/** A test case of JUnit's XML. */
export interface JunitCase {
  readonly name: string
  readonly file: string | null
  readonly line: number | null
  readonly durationMs: number
}

/** Reads a test case's attributes; `suites` are the names of the suites around it. */
export function junitCase(attributes: string, suites: readonly string[]): JunitCase {
  const of = xmlAttribute(attributes, 'classname') ?? ''
  const name = xmlAttribute(attributes, 'name') ?? of
  const file = xmlAttribute(attributes, 'file') ?? (of.includes('/') ? of : null)
  const line = Number.parseInt(xmlAttribute(attributes, 'line') ?? '', 10)
  const durationMs = Number(xmlAttribute(attributes, 'time') ?? 0) * 1000
  return { name: fullName(name, of, file, suites), file, line: line > 0 ? line : null, durationMs }
}

/** Returns an attribute's value, or null. */
export function xmlAttribute(attributes: string, name: string): string | null {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  return match === null ? null : decodeEntities(match[1] ?? match[2] ?? '')
}

function fullName(name: string, of: string, file: string | null, suites: readonly string[]): string {
  // pytest: the class is the module's path and the classes in it, "tests.test_words.TestMore".
  if (file?.endsWith('.py')) return of === '' ? file : [...classesIn(of, file), name].join('::')
  if (file === null && of.includes('.')) return `${of}.${name}`
  // node:test: a suite has the name of what it describes, and every case the class "test".
  return of === 'test' ? [...suites.filter((suite) => suite !== ''), name].join(' > ') : name
}

function classesIn(of: string, file: string): readonly string[] {
  const module = file.replace(/\.py$/, '').replaceAll('/', '.')
  return of.startsWith(`${module}.`) ? of.slice(module.length + 1).split('.') : []
}
