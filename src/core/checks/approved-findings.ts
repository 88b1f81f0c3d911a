import type { Finding, Verdict } from '../model/verdict.ts'

/** What a finding is called when a person lets it be. */
export function approvalKey({ source, message }: Finding): string {
  return `${source}: ${message}`
}

/** The findings that nobody has let be. */
export function unapprovedFindings(findings: readonly Finding[], allowed: ReadonlySet<string>): readonly Finding[] {
  return findings.filter((found) => !found.needsPerson || !allowed.has(approvalKey(found)))
}

/** Whether a verdict passes with what is still found; one that failed without saying why does not. */
export function passesWithApprovals({ passed, findings }: Verdict, still: readonly Finding[]): boolean {
  return passed || (findings.length > 0 && still.length === 0)
}
