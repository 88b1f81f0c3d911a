import type { PlacedFault } from './placed-problems.ts'

/** What a YAML parser complains about, as a fault of a person's file. */
export function yamlFault(error: { readonly code?: string; readonly message: string }, line: number): PlacedFault {
  const what = error.code === 'MULTIPLE_DOCS' ? 'it holds more than one document' : error.message
  return {
    code: 'yaml-invalid',
    line,
    message: `not valid YAML: ${what}.`,
    hint: 'Mend it there; text with ": ", " #" or quotes in it is best written below "|" or in double quotes.',
  }
}
