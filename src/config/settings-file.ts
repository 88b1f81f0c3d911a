import { LineCounter, parseDocument } from 'yaml'
import type { PlacedFault } from '../core/reading/file-problems.ts'
import { valueText } from '../core/reading/schema-faults.ts'
import { offsetOf, yamlFault } from '../core/reading/yaml-document.ts'
import { isMap, type Layer, type Values } from './layers.ts'
import { settingsSchema } from './schema.ts'

/** Parses a settings file, with the line of every key; or returns its syntax errors. */
export function readSettingsFile(
  file: string,
  text: string,
): { readonly layer: Layer } | { readonly faults: readonly PlacedFault[] } {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line)
  const errors = [...document.errors, ...document.warnings]
  if (errors.length > 0) return { faults: errors.map((error) => yamlFault(error, lineAt(error.pos[0]))) }
  try {
    const values: unknown = document.toJS() ?? {}
    if (!isMap(values)) return { faults: [noSettings(valueText(values))] }
    return {
      layer: {
        values: withoutEmpty(values),
        sourceOf: (path, at) => ({ kind: 'file', file, line: lineAt(offsetOf(document.contents, path, at)) }),
      },
    }
  } catch (error) {
    // Aliases that expand beyond the parser's limit.
    if (error instanceof ReferenceError) return { faults: [yamlFault(error, 1)] }
    throw error
  }
}

// YAML reads a section whose keys are all commented out as null; to the reader it is a section with defaults.
function withoutEmpty(values: Values): Values {
  const isKnown = (key: string) => key in settingsSchema.shape
  return Object.fromEntries(Object.entries(values).filter(([key, section]) => section !== null || !isKnown(key)))
}

function noSettings(got: string): PlacedFault {
  const hint = 'Write keys and values, such as "target: main"; "longhaul init" writes an example.'
  return { code: 'settings-invalid', line: 1, message: `settings must be a map of keys; got ${got}.`, hint }
}
