import type { AgentSettings, JudgeSettings } from '../model/settings.ts'

/** The phase that an agent's round is in when it is asked as a judge. */
export const JUDGE_PHASE = 'judge'

/** What its prompt begins with. */
export const JUDGE_HEADING = `## Phase: ${JUDGE_PHASE}`

/** The agent as a judge: it has no tools, and so does nothing but answer. */
export function judgeAgent(agent: AgentSettings, { model }: JudgeSettings): AgentSettings {
  return {
    ...agent,
    model: model ?? agent.model,
    access: 'read-only',
    tools: { allow: [], deny: [] },
    mcp: {},
    subagents: 0,
  }
}

/** Who was asked, for people. */
export function judgeName({ url, model }: JudgeSettings): string {
  if (url !== null) return model ?? url
  return model === null ? 'the agent itself' : `the agent itself, with ${model},`
}

/** Who it is and where, as the beginning of a sentence. */
export function judgeAsSubject({ url, model }: JudgeSettings): string {
  return url === null ? 'The agent that is the judge' : `The judge ${model} at ${url}`
}
