import type { Issue, QaResult, Review } from '../model/agent-report.ts'
import { type Finding, finding, findingText } from '../model/verdict.ts'

/** Returns the findings of a review: all issues above low, or the decision itself when it names none. */
export function reviewFindings({ issues, decision }: Review): readonly Finding[] {
  const findings = issues.filter(hasToChange).map((issue) => issueFinding('review', issue))
  if (findings.length > 0 || decision === null || decision.kind === 'pass') return findings
  return [finding('review', decision.reason === '' ? 'the review gave no reason' : decision.reason)]
}

/** Returns the findings of a QA agent. */
export function qaFindings({ issues, ran }: QaResult): readonly Finding[] {
  const findings = issues.filter(hasToChange).map((issue) => {
    return issueFinding('qa', issue, issue.reproduction === '' ? '' : `To reproduce: ${issue.reproduction}`)
  })
  if (ran === null || ran.failed === 0) return findings
  return [...findings, finding('qa', `${ran.failed} of its tests failed`)]
}

/** Lists issues for a prompt. */
export function issuesText(issues: readonly Issue[]): string {
  return issues.map((issue) => `- ${findingText(issueFinding('', issue))}`).join('\n')
}

function hasToChange({ severity }: Issue): boolean {
  return severity !== 'low'
}

function issueFinding(source: string, { severity, file, line, message }: Issue, excerpt = ''): Finding {
  return finding(source, message, { severity, excerpt, file, line })
}
