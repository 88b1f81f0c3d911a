import type { Finding, Verdict } from '../model/verdict.ts'

/** What a finding is called when a person lets it be. */
export function allowanceKey({ source, message }: Finding): string {
  return `${source}: ${message}`
}

/** The findings that nobody has let be. */
export function stillFound(findings: readonly Finding[], allowed: ReadonlySet<string>): readonly Finding[] {
  return findings.filter((found) => !found.needsPerson || !allowed.has(allowanceKey(found)))
}

/** Whether a verdict passes with what is still found; one that failed without saying why does not. */
export function isPassedWithout({ passed, findings }: Verdict, still: readonly Finding[]): boolean {
  return passed || (findings.length > 0 && still.length === 0)
}
