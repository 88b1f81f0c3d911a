import { EXCERPT_MAX } from '../limits/limits.ts'
import type { Finding } from '../model/verdict.ts'

/** Head and tail of a text, within a number of characters. */
export function excerpt(text: string, max: number = EXCERPT_MAX): string {
  if (text.length <= max) return text
  const half = Math.floor((max - 40) / 2)
  const left = text.length - 2 * half
  return `${text.slice(0, half)}\n… ${left} characters left out …\n${text.slice(-half)}`
}

/** What the next attempt is told of the one that failed. */
export function retryBrief(attempt: string, reason: string, findings: readonly Finding[]): string {
  // The files are in a workspace that the next attempt does not have.
  const listed = findingsText(findings.map((one) => ({ ...one, outputFile: null })))
  return excerpt(`Attempt ${attempt} failed: ${reason}${listed === '' ? '' : `\n\n${listed}`}`, 2 * EXCERPT_MAX)
}

/** Findings as an agent reads them: by what found them, places to look at first, output below. */
export function findingsText(findings: readonly Finding[]): string {
  const sources = [...new Set(findings.map(({ source }) => source))]
  return sources.map((source) => sourceText(findings.filter((finding) => finding.source === source))).join('\n\n')
}

function sourceText([first, ...more]: readonly Finding[]): string {
  if (first === undefined) return ''
  const head = [`- ${first.source}: ${first.message}`, ...more.map(({ message }) => `  - ${message}`)].join('\n')
  const outputs = [first, ...more].filter((finding) => finding.excerpt !== '')
  return [head, ...outputs.map(outputText)].join('\n\n')
}

function outputText({ excerpt: text, outputFile }: Finding): string {
  const whole = outputFile === null ? '' : `\n\n  All of this output: ${outputFile}`
  return `${indent(excerpt(text))}${whole}`
}

/** Tells whether two verdicts ask for the same. */
export function findingsKey(findings: readonly Finding[]): string {
  return findings.map((finding) => `${finding.source}\n${finding.message}`).join('\n\n')
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
}
