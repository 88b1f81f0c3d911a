import { LineCounter, parseDocument, type ScalarTag, type Tags, type YAMLError } from 'yaml'
import type { PlacedFault } from '../../core/reading/placed-problems.ts'
import { offsetOf } from '../../core/reading/syntax-place.ts'
import { type Reading, unreadable } from './raw-backlog.ts'
import { readTopLevel } from './top-level.ts'

/** Reads a task file in YAML. */
export function readYaml(text: string): Reading {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, customTags })
  const faults = [...document.errors, ...document.warnings].map((error) => syntaxFault(error, lines))
  if (faults.length > 0) return unreadable(...faults)
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line)
  return readTopLevel(document.toJS(), (path, at) => lineAt(offsetOf(document.contents, path, at)))
}

// Everything is text as it is written, so that an id may be 1.10 or 007; but for whole numbers and null.
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

function syntaxFault({ code, message, pos }: YAMLError, lines: LineCounter): PlacedFault {
  const what = code === 'MULTIPLE_DOCS' ? 'it holds more than one document' : message
  return {
    code: 'task-file-syntax',
    line: Math.max(1, lines.linePos(pos[0]).line),
    message: `not valid YAML: ${what}.`,
    hint: 'Mend it there; text with ": ", " #" or quotes in it is best written below "|" or in double quotes.',
  }
}
