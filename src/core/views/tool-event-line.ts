import type { AgentReport } from '../model/agent-report.ts'
import type { ToolFact } from '../model/tool-call.ts'
import { counted, detail, type EventLine, line, oneLine } from './line-parts.ts'

/** Renders a fact that an agent recorded with our tools as one line. */
export function toolEventLine(about: string, event: ToolFact): EventLine {
  switch (event.kind) {
    case 'work-reported':
      return detail(about, `agent reports ${reportText(event.report)}`)
    case 'progress-reported':
      return line(about, `agent: ${oneLine(event.text)}`)
    case 'note-left':
      return detail(about, `agent left a note for the next session (${event.quality})`)
    case 'task-proposed':
      return detail(about, `agent proposes task ${event.proposal.id}: ${oneLine(event.proposal.title)}`)
    case 'knowledge-recorded':
      return detail(about, `agent learned: ${oneLine(event.knowledge.text)}`)
  }
}

function reportText(report: AgentReport): string {
  switch (report.kind) {
    case 'claim':
      return report.claim.kind === 'blocked' ? `blocked: ${oneLine(report.claim.reason)}` : report.claim.kind
    case 'review': {
      const { issues, decision } = report.review
      const outcome = decision === null ? 'not decided yet' : `${decision.kind}, ${oneLine(decision.reason)}`
      return `a review with ${counted(issues.length, 'issue')}: ${outcome}`
    }
    case 'qa': {
      const { tests, issues } = report.qa
      return `test results: ${counted(tests.length, 'test file')}, ${counted(issues.length, 'issue')}`
    }
  }
}
