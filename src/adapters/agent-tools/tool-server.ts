import { type CallToolResult, McpServer } from '@modelcontextprotocol/server'
import type { AccessRequest } from '../../ports/agent-tools.ts'
import { TOOL_FORMS } from './tool-forms.ts'

/** Makes an MCP server with the tools of one round. */
export function toolServer({ tools, answer }: AccessRequest): McpServer {
  const server = new McpServer({ name: 'longhaul', version: '1' })
  for (const name of tools) {
    const { description, schema, toCall } = TOOL_FORMS[name]
    server.registerTool(
      name,
      { description: description, inputSchema: schema },
      async (input): Promise<CallToolResult> => {
        const { isRefused, text } = await answer(toCall(input))
        return { content: [{ type: 'text', text }], isError: isRefused }
      },
    )
  }
  return server
}
