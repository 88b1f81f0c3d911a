import { LineCounter, parseDocument, type ScalarTag, type Tags } from 'yaml'
import { offsetOf, yamlFault } from '../../../core/reading/yaml-document.ts'
import { type Reading, unreadable } from './raw-backlog.ts'
import { readTopLevel } from './top-level.ts'

/** Reads a task file in YAML. */
export function readYaml(text: string): Reading {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, customTags })
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line)
  const errors = [...document.errors, ...document.warnings]
  if (errors.length > 0) return unreadable(...errors.map((error) => yamlFault(error, lineAt(error.pos[0]))))
  try {
    return readTopLevel(document.toJS(), (path, at) => lineAt(offsetOf(document.contents, path, at)))
  } catch (error) {
    // Thrown for aliases that would expand beyond all memory.
    if (error instanceof ReferenceError) return unreadable(yamlFault(error, 1))
    throw error
  }
}

// Values stay text as written, so that an id may be 1.10 or 007; except whole numbers and null.
const wholeNumber: ScalarTag = {
  identify: Number.isSafeInteger,
  default: true,
  tag: 'tag:yaml.org,2002:int',
  test: /^(0|-?[1-9][0-9]{0,14})$/,
  resolve: Number,
}

function customTags(tags: Tags): Tags {
  const kept = tags.filter((tag) => typeof tag !== 'string' && !/:(int|float|bool)$/.test(tag.tag))
  return [...kept, wholeNumber]
}
