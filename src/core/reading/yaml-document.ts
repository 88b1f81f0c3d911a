import type { PlacedFault } from './file-problems.ts'
import type { Fault, Path } from './schema-faults.ts'

/** Node of a YAML document, as far as places need it. */
export interface SyntaxNode {
  readonly range?: readonly number[] | null
  readonly value?: unknown
  readonly items?: readonly unknown[]
}

/** Returns the offset of the key or value at a path, or of the last existing node on the way. */
export function offsetOf(root: unknown, path: Path, wanted: 'key' | 'value'): number {
  let node = root
  let offset = startOf(node) ?? 0
  for (const [step, name] of path.entries()) {
    const pair = pairNamed(node, name)
    const isLast = step === path.length - 1
    node = pair === null ? itemAt(node, name) : pair.value
    const start =
      pair !== null && isLast && wanted === 'key' ? startOf(pair.key) : (startOf(node) ?? startOf(pair?.key))
    if (start === null) return offset
    offset = start
  }
  return offset
}

interface SyntaxPair {
  readonly key: unknown
  readonly value: unknown
}

function pairNamed(node: unknown, name: PropertyKey): SyntaxPair | null {
  const pairs = itemsOf(node).filter((item): item is SyntaxPair => isObject(item) && 'key' in item)
  return pairs.find(({ key }) => isObject(key) && String((key as SyntaxNode).value) === name) ?? null
}

function itemAt(node: unknown, index: PropertyKey): unknown {
  return typeof index === 'number' ? itemsOf(node)[index] : undefined
}

function itemsOf(node: unknown): readonly unknown[] {
  return isObject(node) ? ((node as SyntaxNode).items ?? []) : []
}

function startOf(node: unknown): number | null {
  return isObject(node) ? ((node as SyntaxNode).range?.[0] ?? null) : null
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Returns the value of a YAML document. Aliases are resolved only here, so a missing anchor is a fault of this step. */
export function documentValue(document: { toJS(): unknown }, faults: Fault[]): unknown {
  try {
    return document.toJS()
  } catch (cause) {
    faults.push({ path: [], at: 'value', message: String(cause), hint: 'Write the rules out.' })
    return null
  }
}

/** Describes a YAML parser's error as a fault of the file. */
export function yamlFault(error: { readonly code?: string; readonly message: string }, line: number): PlacedFault {
  const known = KNOWN_ERRORS.find(({ pattern }) => pattern.test(`${error.code}: ${error.message}`))
  return {
    code: 'yaml-invalid',
    line,
    message: `not valid YAML: ${known?.says ?? error.message}.`,
    hint: known?.hint ?? '',
  }
}

const QUOTE_IT = 'Text with ": ", " #" or quotes in it is best written below "|" or in double quotes.'

interface KnownError {
  readonly pattern: RegExp
  /** Replaces the parser's text, or null to keep it. */
  readonly says: string | null
  readonly hint: string
}

const KNOWN_ERRORS: readonly KnownError[] = [
  { pattern: /end with a \]/, says: 'a "[" before this is not closed', hint: 'Add the "]".' },
  { pattern: /end with a \}/, says: 'a "{" before this is not closed', hint: 'Add the "}".' },
  { pattern: /Missing closing ["']quote/, says: 'a quote is not closed', hint: QUOTE_IT },
  { pattern: /^MULTIPLE_DOCS/, says: 'it has more than one document', hint: 'Remove the line "---".' },
  { pattern: /^TAB_AS_INDENT/, says: null, hint: 'Indent with spaces.' },
  { pattern: /^DUPLICATE_KEY/, says: null, hint: 'Remove one of them.' },
  { pattern: /without - indicator/, says: null, hint: 'Indent the keys of an entry alike.' },
  {
    pattern: /^(BLOCK_AS_IMPLICIT_KEY|UNEXPECTED_TOKEN|BAD_SCALAR_START|MULTILINE_IMPLICIT_KEY|MISSING_CHAR)/,
    says: null,
    hint: QUOTE_IT,
  },
]
