import type { Issue, QaResult, Review } from '../model/agent-report.ts'
import { type Finding, finding, findingText } from '../model/verdict.ts'

/** What has to change for a review to pass: everything above low; a decision without an issue stands for itself. */
export function reviewFindings({ issues, decision }: Review): readonly Finding[] {
  const found = issues.filter(hasToChange).map((issue) => issueFinding('review', issue))
  if (found.length > 0 || decision === null || decision.kind === 'pass') return found
  return [finding('review', decision.reason === '' ? 'the review gave no reason' : decision.reason)]
}

/** What has to change after tests by somebody else. */
export function qaFindings({ issues, ran }: QaResult): readonly Finding[] {
  const found = issues.filter(hasToChange).map((issue) => {
    return issueFinding('qa', issue, issue.reproduction === '' ? '' : `To see it: ${issue.reproduction}`)
  })
  if (ran === null || ran.failed === 0) return found
  return [...found, finding('qa', `${ran.failed} of its tests failed`)]
}

/** Issues as a prompt lists them. */
export function issuesText(issues: readonly Issue[]): string {
  return issues.map((issue) => `- ${findingText(issueFinding('', issue))}`).join('\n')
}

function hasToChange({ severity }: Issue): boolean {
  return severity !== 'low'
}

function issueFinding(source: string, { severity, file, line, message }: Issue, excerpt = ''): Finding {
  return finding(source, message, { severity, excerpt, file, line })
}
