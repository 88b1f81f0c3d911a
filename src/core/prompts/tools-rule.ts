/** An opening for an agent that can call our tools. */
export function withToolsRule(opening: string): string {
  return `${opening}\n\n${RULE}`
}

const RULE =
  'You have tools of the server "longhaul". Say how the work stands with its "report" instead of a tag; use "ask" when only a person can decide, "learn" for what agents of later tasks must know, and "propose" for work that is needed but is not part of this task.'
