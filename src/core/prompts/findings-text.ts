import type { Finding } from '../model/verdict.ts'
import { excerpt } from '../reading/text.ts'

/** Formats findings for an agent: first those about a whole check, with its output, then file by file. */
export function findingsText(findings: readonly Finding[]): string {
  const whole = findings.filter(({ file }) => file === null)
  const sources = [...new Set(whole.map(({ source }) => source))]
  const files = [...new Set(findings.flatMap(({ file }) => file ?? []))]
  return [
    ...sources.map((source) => sourceText(whole.filter((finding) => finding.source === source))),
    ...files.map((file) =>
      fileText(
        file,
        findings.filter((finding) => finding.file === file),
      ),
    ),
  ].join('\n\n')
}

/** Identifies a list of findings; line numbers do not count, because lines move. */
export function findingsKey(findings: readonly Finding[]): string {
  return findings.map(findingKey).join('\n\n')
}

/** Identifies a finding; line numbers do not count, because lines move. */
export function findingKey({ source, file, message }: Finding): string {
  return [source, file ?? '', message].join('\n')
}

function sourceText([first, ...more]: readonly Finding[]): string {
  if (first === undefined) return ''
  const line = ({ severity, message }: Finding) => (severity === null ? message : `${severity}: ${message}`)
  const head = [`- ${first.source}: ${line(first)}`, ...more.map((finding) => `  - ${line(finding)}`)].join('\n')
  const outputs = [first, ...more].filter((finding) => finding.excerpt !== '')
  return [head, ...outputs.map(outputText)].join('\n\n')
}

/** Formats the findings of a file, from top to bottom. */
function fileText(file: string, findings: readonly Finding[]): string {
  const ordered = findings.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
  return [`In ${file}:`, ...ordered.flatMap(placedLines)].join('\n')
}

function placedLines({ line, source, severity, message, excerpt: output }: Finding): readonly string[] {
  const where = line === null ? '' : `line ${line}, `
  const by = severity === null ? source : `${source}, ${severity}`
  return [`- ${where}${by}: ${message}`, ...(output === '' ? [] : [indent(excerpt(output))])]
}

function outputText({ excerpt: text, outputFile }: Finding): string {
  const whole = outputFile === null ? '' : `\n\n  Full output: ${outputFile}`
  return `${indent(excerpt(text))}${whole}`
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
}
