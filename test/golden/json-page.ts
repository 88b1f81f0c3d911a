import { z } from 'zod'

/** Renders a zod shape as JSON with types for values. */
export function shapeText(shape: z.ZodType): string {
  return textOf(z.toJSONSchema(shape, { io: 'output' }) as JsonSchema, '')
}

/** Keywords of JSON Schema that shapes use. */
interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
}

function textOf(schema: JsonSchema, indent: string): string {
  if (schema.anyOf !== undefined) return unionText(schema.anyOf, indent)
  if (schema.enum !== undefined) return enumText(schema.enum)
  if (schema.type === 'object') return objectText(schema, indent)
  if (schema.type === 'array') return `[${textOf(schema.items ?? {}, indent)}, …]`
  if (schema.format === 'date-time') return 'time'
  return [schema.type ?? 'anything'].flat().join(' or ')
}

/** Renders the documents of a union one after another, and a nullable value on one line. */
function unionText(schemas: readonly JsonSchema[], indent: string): string {
  const texts = schemas.map((schema) => textOf(schema, indent))
  return texts.join(schemas.every(({ type }) => type === 'object') ? '\n\nor\n\n' : ' or ')
}

const CHOICES_SHOWN_MAX = 20

function enumText(choices: readonly unknown[]): string {
  const shown = choices.slice(0, CHOICES_SHOWN_MAX).map((choice) => JSON.stringify(choice))
  return choices.length > CHOICES_SHOWN_MAX ? 'string' : shown.join(' | ')
}

function objectText({ properties = {}, additionalProperties }: JsonSchema, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, schema]) => `${inner}${name}: ${textOf(schema, inner)}`)
  const more = additionalProperties === false ? [] : [`${inner}…`]
  return lines.length + more.length === 0 ? '{}' : `{\n${[...lines, ...more].join('\n')}\n${indent}}`
}
