import type { Problem } from '../core/model/problem.ts'
import type { Settings } from '../core/model/settings.ts'
import { placedProblems } from '../core/reading/file-problems.ts'
import { type Fault, type Path, schemaFaults } from '../core/reading/schema-faults.ts'
import { builtInWorkflows } from './built-in-workflows.ts'
import { type Layer, layerWith, mergeLayers, type Source, sourceText } from './layers.ts'
import { settingsPlaces } from './place-names.ts'
import { presetUnder } from './presets.ts'
import { settingsSchema, type WrittenSettings } from './schema.ts'
import { readSettingsFile } from './settings-file.ts'
import { toSettings } from './to-settings.ts'

/** Valid settings: in the core's form, as written, and with the source of each. */
export interface LoadedSettings {
  readonly kind: 'loaded'
  readonly settings: Settings
  readonly written: WrittenSettings
  sourceOf(path: Path): Source
}

export interface WrongSettings {
  readonly kind: 'wrong'
  readonly problems: readonly Problem[]
}

/** Reads settings from the text of `longhaul.yaml`, overridden by flags and variables; without a text, the defaults apply. */
export function loadSettings(input: {
  readonly file: string | null
  readonly text: string | null
  /** Layers that override the file, strongest first. */
  readonly over?: readonly Layer[]
}): LoadedSettings | WrongSettings {
  const file = input.file ?? 'longhaul.yaml'
  const read = readSettingsFile(file, input.text ?? '')
  if ('faults' in read) return wrong(placedProblems(file, read.faults, (fault) => fault))
  const layers = [...(input.over ?? []), read.layer]
  const all = [...layers, ...presetUnder(mergeLayers(layers)), builtInWorkflows()]
  const values = mergeLayers(all)
  const result = settingsSchema.safeParse(values)
  if (!result.success) {
    const faults = schemaFaults(result.error.issues, values, settingsPlaces)
    return wrong(problemsOf(faults, all, { file, layer: read.layer }))
  }
  const sourceOf = (path: Path) => layerWith(all, path)?.sourceOf(path, 'key') ?? ({ kind: 'default' } as const)
  return { kind: 'loaded', settings: toSettings(result.data), written: result.data, sourceOf }
}

function wrong(problems: readonly Problem[]): WrongSettings {
  return { kind: 'wrong', problems }
}

/** Locates faults: those of flags and variables first; a missing key is reported in the file. */
function problemsOf(
  faults: readonly Fault[],
  layers: readonly Layer[],
  written: { readonly file: string; readonly layer: Layer },
): readonly Problem[] {
  const placed = faults.map(({ path, at, ...words }) => {
    const source = (layerWith(layers, path) ?? written.layer).sourceOf(path, at)
    const line = source.kind === 'file' ? source.line : null
    return { source, fault: { code: 'settings-invalid' as const, line, ...words } }
  })
  const elsewhere = placed.filter(({ source }) => source.kind !== 'file')
  const inFile = placed.filter(({ source }) => source.kind === 'file')
  return [
    ...elsewhere.flatMap(({ source, fault }) => placedProblems(sourceText(source), [fault], (one) => one)),
    ...placedProblems(written.file, inFile, ({ fault }) => fault, inFile.length),
  ]
}
