import type { AnswerForm } from '../model/agent-report.ts'
import type { ToolName } from '../model/tool-call.ts'
import type { Role } from '../model/workflow.ts'

/**
 * Returns the tools of a role; none of them approves, lands or changes a limit. A role that reports in the form of its
 * last answer has no tool for that report.
 */
export function toolsOf(role: Role, form: AnswerForm | null): readonly ToolName[] {
  return TOOLS[role].filter((name) => name !== form)
}

const ANY = ['task', 'backlog', 'recall', 'progress', 'ask'] as const
const WORKS = [...ANY, 'report', 'note', 'checks', 'findings', 'limits', 'learn'] as const

const TOOLS: Readonly<Record<Role, readonly ToolName[]>> = {
  planner: [...ANY, 'report', 'note', 'propose'],
  coder: [...WORKS, 'propose'],
  tester: [...ANY, 'report', 'checks', 'propose'],
  reviewer: [...ANY, 'checks', 'findings', 'learn', 'review'],
  qa: [...WORKS, 'propose', 'qa'],
  resolver: WORKS,
  fixer: WORKS,
}
