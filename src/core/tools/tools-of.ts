import type { ToolName } from '../model/tool-call.ts'
import type { Role } from '../model/workflow.ts'

/** The tools of an agent with this role; none of them approves, lands or changes a limit. */
export function toolsOf(role: Role): readonly ToolName[] {
  return TOOLS[role]
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
