import type { AgentSettings, JudgeSettings } from '../model/settings.ts'

/** Phase of a round in which an agent acts as the judge. */
export const JUDGE_PHASE = 'judge'

/** First line of the judge's prompt. */
export const JUDGE_HEADING = `## Phase: ${JUDGE_PHASE}`

/** Returns the settings of an agent as the judge: without tools, so it can only answer. */
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

/** Returns the judge's name for people. */
export function judgeName({ url, model }: JudgeSettings): string {
  if (url !== null) return model ?? url
  return model === null ? 'the agent itself' : `the agent itself, with ${model},`
}

/** Returns the judge and its address, to start a sentence. */
export function judgeAsSubject({ url, model }: JudgeSettings): string {
  return url === null ? 'The agent that is the judge' : `The judge ${model} at ${url}`
}
