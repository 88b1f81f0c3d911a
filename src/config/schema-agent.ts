import { z } from 'zod'
import { PLAIN_AGENT } from '../core/model/settings.ts'
import { choice, keys, list, named, text, whole } from './schema-parts.ts'
import { mcpServerIsOne, scriptIsNamed } from './schema-rules.ts'

const variables = () =>
  named(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'the name of a variable' }), z.string({ error: 'text' }))

const mcpServer = keys({
  command: text().optional().describe('The program of a server that the agent starts.'),
  args: list(z.string({ error: 'text' }), 'arguments')
    .default([])
    .describe("The program's arguments."),
  env: variables().default({}).describe("The program's variables; a value of $NAME is read from yours."),
  url: z
    .url({ protocol: /^https?$/, error: 'a URL that starts with http:// or https://' })
    .optional()
    .describe('The address of a server that is there already.'),
  type: choice(['http', 'sse']).default('http').describe('How that server is spoken to.'),
  headers: named(text(), z.string({ error: 'text' }))
    .default({})
    .describe('What it is sent along; a value of $NAME is read from your environment.'),
}).superRefine(mcpServerIsOne)

const shape = {
  driver: text().describe('Which kind of agent: claude, or scripted for rehearsals.'),
  model: text().nullable().describe('The model, as the agent calls it; null: the one it uses by itself.'),
  access: choice(['workspace', 'read-only', 'full']).describe('What the agent may touch without asking.'),
  env: variables().describe(
    "Added to the agent's own environment; a value of $NAME is read from yours and never stored.",
  ),
  script: text().nullable().describe("The scripted agent's script, from the repository's root."),
  fallback_model: text().nullable().describe('The model that takes over when the first is overloaded.'),
  effort: choice(['low', 'medium', 'high', 'xhigh', 'max'])
    .nullable()
    .describe("How hard the model thinks; null: the agent's own choice."),
  tools: keys({
    allow: list(text(), 'tools')
      .nullable()
      .default(null)
      .describe('The only tools it has; null: all that access allows.'),
    deny: list(text(), 'tools').default([]).describe('Tools that it has not.'),
  }).describe("The agent's tools, as it calls them."),
  mcp: named(
    z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'a name of letters, digits, "-" and "_"' }),
    mcpServer,
  ).describe('MCP servers that the agent has, by name.'),
  setting_sources: list(choice(['user', 'project', 'local']), 'user, project, local').describe(
    "Which of the agent's own settings files it reads.",
  ),
  system_prompt: text().nullable().describe("Added to the agent's own system prompt."),
  subagents: whole(0, 32).describe('How many agents of its own it may have at work at once.'),
}

/** The agent that does the work. */
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

/** Where a role differs from it. */
export const role = keys(shape).partial()
