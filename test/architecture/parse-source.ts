import { posix } from 'node:path'
import { parseAst } from 'vitest/node'

/** A file as the architecture rules see it. */
export interface Source {
  readonly path: string
  readonly lines: number
  readonly imports: readonly Import[]
  readonly functions: readonly { readonly name: string; readonly lines: number }[]
  /** Names the code refers to (`fetch`, `Date.now`, `new Date()`, `crypto.randomUUID`), and the words async and await. */
  readonly uses: ReadonlySet<string>
}

/** An import: `to` is a path from the root when it is a file of ours, else the package as written. */
export interface Import {
  readonly to: string
  readonly isOurs: boolean
  readonly isTypeOnly: boolean
}

/** Parses a file into what the rules look at. */
export function parseSource(path: string, text: string): Source {
  const nodes: Place[] = []
  collect(parseAst(text, { lang: 'ts' }, path) as unknown as Node, nodes)
  return {
    path,
    lines: lineCount(text.trimEnd()),
    imports: nodes.flatMap(({ node }) => importsOf(path, node)),
    functions: nodes.filter(isFunction).map((place) => {
      return { name: functionName(place), lines: lineCount(text.slice(place.node.start, place.node.end)) }
    }),
    uses: new Set(nodes.flatMap(usesOf)),
  }
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** A node, its parent, and the parent's property that holds it. */
interface Place {
  readonly node: Node
  readonly parent: Node
  readonly role: string
}

function collect(parent: Node, places: Place[]): void {
  for (const role in parent) {
    const value = parent[role]
    for (const node of Array.isArray(value) ? value : [value]) {
      if (!isNode(node)) continue
      places.push({ node, parent, role })
      collect(node, places)
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function lineCount(text: string): number {
  return text.split('\n').length
}

function importsOf(path: string, node: Node): Import[] {
  const from = isNode(node.source) ? node.source.value : null
  if (typeof from !== 'string') return []
  const isOurs = from.startsWith('.')
  return [{ to: isOurs ? posix.join(posix.dirname(path), from) : from, isOurs, isTypeOnly: isTypeOnly(node) }]
}

function isTypeOnly(node: Node): boolean {
  const kinds = specifiersOf(node).map((specifier) => specifier.importKind ?? specifier.exportKind)
  const allTypes = kinds.length > 0 && kinds.every((kind) => kind === 'type')
  return node.type === 'TSImportType' || [node.importKind, node.exportKind].includes('type') || allTypes
}

function specifiersOf(node: Node): Node[] {
  return [node.specifiers ?? []].flat().filter(isNode)
}

function isFunction({ node }: Place): boolean {
  return ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(node.type)
}

function functionName({ node, parent }: Place): string {
  return nameOf(node.id) ?? nameOf(parent.key) ?? nameOf(parent.id) ?? 'anonymous'
}

function nameOf(value: unknown): string | null {
  if (!isNode(value)) return null
  if (value.type === 'MemberExpression') return nameOf(value.property)
  const name = value.name ?? value.value
  return typeof name === 'string' ? name : null
}

function usesOf({ node, parent, role }: Place): string[] {
  switch (node.type) {
    case 'Identifier':
      return isLabel(parent, role) ? [] : [`${nameOf(node)}`]
    case 'MemberExpression':
      return [`${nameOf(node.object)}.${nameOf(node.property)}`]
    case 'VariableDeclarator':
      return destructured(node.id).map((key) => `${nameOf(node.init)}.${key}`)
    case 'ImportDeclaration':
      return specifiersOf(node).map(
        ({ imported }) => `${nameOf(node.source)?.replace('node:', '')}.${nameOf(imported)}`,
      )
    case 'NewExpression':
    case 'CallExpression':
      return [node.arguments].flat().length > 0
        ? []
        : [`${node.type === 'NewExpression' ? 'new ' : ''}${nameOf(node.callee)}()`]
    case 'AwaitExpression':
      return ['await']
    default:
      return [...(node.async === true ? ['async'] : []), ...(node.await === true ? ['await'] : [])]
  }
}

/** True for an identifier that is only the name of a member: `clock.fetch`, `{ fetch: 1 }`. */
function isLabel(parent: Node, role: string): boolean {
  return parent.computed !== true && (role === 'property' || role === 'key') && parent.shorthand !== true
}

function destructured(pattern: unknown): string[] {
  const properties = isNode(pattern) && pattern.type === 'ObjectPattern' ? [pattern.properties].flat() : []
  return properties.flatMap((property) => (isNode(property) ? [`${nameOf(property.key)}`] : []))
}
