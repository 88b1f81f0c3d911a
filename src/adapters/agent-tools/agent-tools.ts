import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { AgentTools } from '../../ports/agent-tools.ts'
import { type Endpoint, openEndpoint } from './endpoint.ts'

/**
 * Offers Longhaul's tools over an MCP endpoint, which opens for the first agent that uses them: at this port of every
 * sandbox, or for the whole machine (null).
 */
export function mcpTools(port: number | null): AgentTools & { close(): Promise<void> } {
  let opening: Promise<Endpoint | Problem> | null = null
  return {
    async grantAccess(round) {
      opening ??= openEndpoint(port)
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
