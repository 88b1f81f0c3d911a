import type { AgentReport } from '../model/agent-report.ts'
import type { ToolFact } from '../model/tool-call.ts'
import { counted, detail, type EventLine, line, oneLine } from './line-parts.ts'

/** Puts what an agent said through our tools into words. */
export function toolEventLine(about: string, event: ToolFact): EventLine {
  switch (event.kind) {
    case 'work-reported':
      return detail(about, `the agent reports ${reportText(event.report)}`)
    case 'progress-reported':
      return line(about, `the agent says: ${oneLine(event.text)}`)
    case 'note-left':
      return detail(about, `the agent left a note for a session after this one (${event.quality})`)
    case 'task-proposed':
      return detail(about, `the agent proposes the task ${event.proposal.id}: ${oneLine(event.proposal.title)}`)
    case 'knowledge-recorded':
      return detail(about, `the agent learned: ${oneLine(event.knowledge.text)}`)
  }
}

function reportText(report: AgentReport): string {
  switch (report.kind) {
    case 'claim':
      return report.claim.kind === 'blocked' ? `blocked: ${oneLine(report.claim.reason)}` : report.claim.kind
    case 'review': {
      const { issues, decision } = report.review
      const decided = decision === null ? 'so far' : `${decision.kind}, ${oneLine(decision.reason)}`
      return `its review with ${counted(issues.length, 'issue')}: ${decided}`
    }
    case 'qa': {
      const { tests, issues } = report.qa
      return `what testing came to: ${counted(tests.length, 'file')} of tests, ${counted(issues.length, 'issue')}`
    }
  }
}
