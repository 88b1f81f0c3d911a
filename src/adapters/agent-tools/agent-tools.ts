import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { AgentTools } from '../../ports/agent-tools.ts'
import { type Endpoint, openEndpoint } from './endpoint.ts'

/** Offers Longhaul's tools over an MCP endpoint, which opens for the first agent that uses them. */
export function mcpTools(): AgentTools & { close(): Promise<void> } {
  let opening: Promise<Endpoint | Problem> | null = null
  return {
    async grantAccess(round) {
      opening ??= openEndpoint()
      const endpoint = await opening
      if (!isProblem(endpoint)) return endpoint.grantAccess(round)
      opening = null
      return endpoint
    },
    async close() {
      const endpoint = await opening
      if (endpoint !== null && !isProblem(endpoint)) await endpoint.close()
    },
  }
}
