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
  const listed = findings.map(findingText).join('\n\n')
  return excerpt(`Attempt ${attempt} failed: ${reason}${listed === '' ? '' : `\n\n${listed}`}`, 2 * EXCERPT_MAX)
}

/** One finding as an agent reads it. */
export function findingText(finding: Finding): string {
  const head = `- ${finding.source}: ${finding.message}`
  return finding.excerpt === '' ? head : `${head}\n\n${indent(excerpt(finding.excerpt))}`
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
