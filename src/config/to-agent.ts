import type { AgentSettings, McpServerSettings } from '../core/model/settings.ts'
import type { WrittenSettings } from './schema.ts'

type WrittenAgent = WrittenSettings['agent']
type WrittenRole = NonNullable<WrittenSettings['roles'][keyof WrittenSettings['roles']]>

/** Converts the agent's settings to the core's form. */
export function agentOf(written: WrittenAgent): AgentSettings {
  const { fallback_model, setting_sources, system_prompt, mcp, ...same } = written
  return {
    ...same,
    fallbackModel: fallback_model,
    settingSources: setting_sources,
    systemPrompt: system_prompt,
    mcp: serversOf(mcp),
  }
}

/** Converts a role's settings; keys that it leaves out stay out. */
export function roleOf(written: WrittenRole): Partial<AgentSettings> {
  const { fallback_model, setting_sources, system_prompt, mcp, ...same } = written
  const named = {
    ...same,
    fallbackModel: fallback_model,
    settingSources: setting_sources,
    systemPrompt: system_prompt,
    mcp: mcp && serversOf(mcp),
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as Partial<AgentSettings>
}

function serversOf(mcp: WrittenAgent['mcp']): AgentSettings['mcp'] {
  return Object.fromEntries(Object.entries(mcp).map(([name, server]) => [name, serverOf(server)]))
}

function serverOf({ command, args, env, url = '', type, headers }: WrittenAgent['mcp'][string]): McpServerSettings {
  return command === undefined ? { kind: type, url, headers } : { kind: 'program', command, args, env }
}
