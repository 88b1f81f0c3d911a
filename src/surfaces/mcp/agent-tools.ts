import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { AgentTools } from '../../ports/agent-tools.ts'
import type { Endpoint } from './endpoint.ts'

/** Our tools for agents, over one MCP endpoint that is opened when the first agent wants them. */
export function mcpTools(): AgentTools & { close(): Promise<void> } {
  let opening: Promise<Endpoint | Problem> | null = null
  return {
    async admit(round) {
      opening ??= open()
      const endpoint = await opening
      if (!isProblem(endpoint)) return endpoint.admit(round)
      opening = null
      return endpoint
    },
    async close() {
      const endpoint = await opening
      if (endpoint !== null && !isProblem(endpoint)) await endpoint.close()
    },
  }
}

/** It brings packages that most verbs have no use for. */
async function open(): Promise<Endpoint | Problem> {
  return (await import('./endpoint.ts')).openEndpoint()
}
