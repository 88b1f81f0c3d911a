import type { Finding, Verdict } from '../model/verdict.ts'

/** Returns the key under which a person's approval of a finding is stored. */
export function approvalKey({ source, message }: Finding): string {
  return `${source}: ${message}`
}

/** Returns the findings without a person's approval. */
export function unapprovedFindings(findings: readonly Finding[], approved: ReadonlySet<string>): readonly Finding[] {
  return findings.filter((finding) => !finding.needsPerson || !approved.has(approvalKey(finding)))
}

/** True when a verdict passes, or fails only for approved findings; a failure without findings stays one. */
export function passesWithApprovals({ passed, findings }: Verdict, still: readonly Finding[]): boolean {
  return passed || (findings.length > 0 && still.length === 0)
}
