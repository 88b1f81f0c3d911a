import { LineCounter, parseDocument } from 'yaml'
import type { Problem } from '../core/model/problem.ts'
import type { Settings } from '../core/model/settings.ts'
import { type PlacedFault, placedProblems } from '../core/reading/placed-problems.ts'
import { schemaFaults, shown } from '../core/reading/schema-faults.ts'
import { offsetOf, type Path } from '../core/reading/syntax-place.ts'
import { yamlFault } from '../core/reading/yaml-fault.ts'
import { settingsPlaces } from './place-names.ts'
import { settingsSchema } from './schema.ts'
import { toSettings } from './to-settings.ts'

/** Reads settings from the text of `longhaul.yaml`, or gives the defaults where there is none. */
export function loadSettings(given: {
  readonly file: string | null
  readonly text: string | null
}): Settings | readonly Problem[] {
  const file = given.file ?? 'longhaul.yaml'
  const read = readYaml(given.text ?? '')
  if ('faults' in read) return placedProblems(file, read.faults, (fault) => fault)
  const result = settingsSchema.safeParse(read.value)
  if (result.success) return toSettings(result.data)
  return placedProblems(file, schemaFaults(result.error.issues, read.value, settingsPlaces), (fault) => ({
    code: 'settings-invalid',
    line: read.lineOf(fault.path, fault.at),
    message: fault.message,
    hint: fault.hint,
  }))
}

type Read =
  | { readonly faults: readonly PlacedFault[] }
  | { readonly value: unknown; lineOf(path: Path, at: 'key' | 'value'): number }

function readYaml(text: string): Read {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line)
  const errors = [...document.errors, ...document.warnings]
  if (errors.length > 0) return { faults: errors.map((error) => yamlFault(error, lineAt(error.pos[0]))) }
  try {
    const value: unknown = document.toJS() ?? {}
    if (typeof value !== 'object' || Array.isArray(value)) return { faults: [noSettings(shown(value))] }
    return { value: withoutEmpty(value as object), lineOf: (path, at) => lineAt(offsetOf(document.contents, path, at)) }
  } catch (error) {
    // Aliases that multiply into more than memory holds.
    if (error instanceof ReferenceError) return { faults: [yamlFault(error, 1)] }
    throw error
  }
}

// A section whose keys are all commented out is read as null by YAML; a reader sees a section left as it is.
function withoutEmpty(value: object): object {
  const isKnown = (key: string) => key in settingsSchema.shape
  return Object.fromEntries(Object.entries(value).filter(([key, section]) => section !== null || !isKnown(key)))
}

function noSettings(got: string): PlacedFault {
  const hint = 'Write keys and values, such as "target: main"; "longhaul init" makes an example.'
  return { code: 'settings-invalid', line: 1, message: `settings must be a map of keys; got ${got}.`, hint }
}
