import type { ToolName } from '../model/tool-call.ts'

/** An opening for an agent that gives its last answer in a form. */
export function withFormRule(opening: string): string {
  return `${opening}\n\nYou are given a form for your last answer. Fill it in once, at the very end, instead of writing what it asks for; its status takes the place of a tag.`
}

/** An opening for an agent that can call our tools: which of them to use when. */
export function withToolsRule(opening: string, tools: readonly ToolName[]): string {
  const advice = tools.flatMap((tool) => ADVICE[tool] ?? [])
  return `${opening}\n\nYou have tools of the server "longhaul". ${advice.join(' ')}`
}

const ADVICE: Readonly<Partial<Record<ToolName, string>>> = {
  ask: 'Use "ask" when only a person can decide.',
  report: 'Say how the work stands with "report" instead of a tag.',
  learn: 'Use "learn" for what agents of later tasks must know.',
  propose: 'Use "propose" for work that is needed but is not part of this task.',
  review: 'Hand in what you found with "review".',
  qa: 'Hand in what testing came to with "qa".',
}
