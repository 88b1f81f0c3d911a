import { z } from 'zod'
import { PLAIN_AGENT } from '../core/model/settings.ts'
import { choice, keys, list, named, text, whole } from './schema-parts.ts'
import { mcpServerIsOne, scriptIsNamed } from './schema-rules.ts'

const variables = () =>
  named(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'the name of a variable' }), z.string({ error: 'text' }))

const mcpServer = keys({
  command: text().optional().describe('Program of a server that the agent starts.'),
  args: list(z.string({ error: 'text' }), 'arguments')
    .default([])
    .describe("The program's arguments."),
  env: variables().default({}).describe("The program's variables; a value of $NAME is read from yours."),
  url: z
    .url({ protocol: /^https?$/, error: 'a URL that starts with http:// or https://' })
    .optional()
    .describe('URL of a server that is already running.'),
  type: choice(['http', 'sse']).default('http').describe('Transport of that server.'),
  headers: named(text(), z.string({ error: 'text' }))
    .default({})
    .describe('HTTP headers for it; a value of $NAME is read from your environment.'),
}).superRefine(mcpServerIsOne)

const shape = {
  driver: text().describe('Kind of agent: claude, or scripted for rehearsals.'),
  model: text().nullable().describe("Model, by the agent's name for it; null for the agent's own choice."),
  access: choice(['workspace', 'read-only', 'full']).describe('What the agent may access without asking.'),
  env: variables().describe(
    "Variables added to the agent's environment; a value of $NAME is read from yours and never stored.",
  ),
  script: text().nullable().describe("Script of the scripted agent, relative to the repository's root."),
  fallback_model: text().nullable().describe('Model to use when the first is overloaded.'),
  effort: choice(['low', 'medium', 'high', 'xhigh', 'max'])
    .nullable()
    .describe("How hard the model thinks; null for the agent's own choice."),
  tools: keys({
    allow: list(text(), 'tools')
      .nullable()
      .default(null)
      .describe('The only tools it may use; null for all that access allows.'),
    deny: list(text(), 'tools').default([]).describe('Tools that it may not use.'),
  }).describe("The agent's tools, by its own names."),
  mcp: named(
    z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'a name of letters, digits, "-" and "_"' }),
    mcpServer,
  ).describe('MCP servers of the agent, by name.'),
  setting_sources: list(choice(['project', 'local']), 'project, local').describe(
    'Which settings files of the agent in the repository apply; your own never do.',
  ),
  system_prompt: text().nullable().describe("Added to the agent's own system prompt."),
  subagents: whole(0, 32).describe('How many subagents it may run at the same time.'),
}

/** Schema of the agent that does the work. */
export const agent = keys({
  driver: shape.driver.default(PLAIN_AGENT.driver),
  model: shape.model.default(PLAIN_AGENT.model),
  access: shape.access.default(PLAIN_AGENT.access),
  env: shape.env.default({}),
  script: shape.script.default(PLAIN_AGENT.script),
  fallback_model: shape.fallback_model.default(PLAIN_AGENT.fallbackModel),
  effort: shape.effort.default(PLAIN_AGENT.effort),
  tools: shape.tools.prefault({}),
  mcp: shape.mcp.default({}),
  setting_sources: shape.setting_sources.default([...PLAIN_AGENT.settingSources]),
  system_prompt: shape.system_prompt.default(PLAIN_AGENT.systemPrompt),
  subagents: shape.subagents.default(PLAIN_AGENT.subagents),
}).superRefine(scriptIsNamed)

/** Schema of a role: where it differs from the agent. */
export const role = keys(shape).partial()
