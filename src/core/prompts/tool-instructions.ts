import type { ToolName } from '../model/tool-call.ts'

/** Extends a first prompt for an agent that answers with a form. */
export function withFormInstructions(opening: string): string {
  return `${opening}\n\nYou have a form for your last answer. Fill it in once, at the very end, instead of writing its content as text; its status replaces the tag.`
}

/** Extends a first prompt for an agent with our tools: when to use which. */
export function withToolInstructions(opening: string, tools: readonly ToolName[]): string {
  const advice = tools.flatMap((tool) => INSTRUCTIONS[tool] ?? [])
  return `${opening}\n\nYou have the tools of the MCP server "longhaul". ${advice.join(' ')}`
}

const INSTRUCTIONS: Readonly<Partial<Record<ToolName, string>>> = {
  ask: 'Use "ask" when only a person can decide.',
  report: 'Report the state of the work with "report" instead of a tag.',
  learn: 'Use "learn" for lessons that agents of later tasks need.',
  propose: 'Use "propose" for work that is needed but outside this task.',
  review: 'Submit your findings with "review".',
  qa: 'Submit your test results with "qa".',
}
