import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { AgentTools } from '../../ports/agent-tools.ts'
import { type Endpoint, openEndpoint } from './endpoint.ts'

/** Our tools for agents, over one MCP endpoint that is opened when the first agent wants them. */
export function mcpTools(): AgentTools & { close(): Promise<void> } {
  let opening: Promise<Endpoint | Problem> | null = null
  return {
    async grantAccess(round) {
      opening ??= openEndpoint()
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
