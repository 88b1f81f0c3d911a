import type { HookInput, HookJSONOutput, McpServerConfig, Options } from '@anthropic-ai/claude-agent-sdk'
import type { AgentSettings } from '../../../core/model/settings.ts'
import { answerSchema } from '../../../forms/answer-form.ts'
import type { RoundSpec } from '../../../ports/agent-driver.ts'
import type { ToolAccess } from '../../../ports/agent-tools.ts'
import { FORM_TOOL, hiddenTools, OWN_SERVER, shownTools } from './tool-policy.ts'

/** Way to open a session: resume one that the agent has, or create it. */
export type SessionOpening = 'resume' | 'create'

/** Callbacks of the agent's process while it works. */
export interface AgentCallbacks {
  /** Returns why a tool call is refused, or null when it is allowed. */
  refuse(toolUseId: string, tool: string, input: Readonly<Record<string, unknown>>): string | null
  /** True when the session has to stop after the current tool. */
  shouldStop(): boolean
  /** Called before a compaction; returns instructions for it. */
  onCompact(): Promise<string>
}

/** Turns the agent's settings and our callbacks into options of the SDK. */
export function queryOptions(
  { order, form }: Pick<RoundSpec, 'order' | 'form'>,
  opening: SessionOpening,
  callbacks: AgentCallbacks,
): Omit<Options, 'cwd' | 'env' | 'spawnClaudeCodeProcess' | 'pathToClaudeCodeExecutable' | 'mcpServers'> {
  const { agent, session, turnsMax, budgetUsd } = order
  const shown = shownTools(agent)
  return {
    ...(opening === 'resume' ? { resume: session } : { sessionId: session }),
    ...(agent.model === null ? {} : { model: agent.model }),
    ...(agent.fallbackModel === null ? {} : { fallbackModel: agent.fallbackModel }),
    ...(agent.effort === null ? {} : { effort: agent.effort }),
    ...(budgetUsd === null ? {} : { maxBudgetUsd: budgetUsd }),
    ...(shown === null ? {} : { tools: [...shown] }),
    ...(form === null ? {} : { outputFormat: { type: 'json_schema', schema: answerSchema(form) } }),
    ...permissions(agent, callbacks),
    maxTurns: turnsMax,
    disallowedTools: [...hiddenTools(agent)],
    settingSources: [...agent.settingSources],
    strictMcpConfig: true,
    systemPrompt: {
      ...({ type: 'preset', preset: 'claude_code' } as const),
      ...(agent.systemPrompt === null ? {} : { append: agent.systemPrompt }),
    },
    includePartialMessages: true,
    // Keeps "@file" and "/command" in a brief from being interpreted.
    verbatimPrompts: true,
    settings: { autoCompactEnabled: order.context.policy === 'compact' },
    hooks: hooksFor(callbacks),
  }
}

/** Turns the MCP servers of the settings into options of the SDK. */
export function mcpServers(mcp: AgentSettings['mcp']): Record<string, McpServerConfig> {
  const entries = Object.entries(mcp).map(([name, server]): [string, McpServerConfig] => {
    if (server.kind === 'program')
      return [name, { command: server.command, args: [...server.args], env: { ...server.env } }]
    return [name, { type: server.kind, url: server.url, headers: { ...server.headers } }]
  })
  return Object.fromEntries(entries)
}

/** Returns the MCP server with Longhaul's tools, which are loaded from the first turn on. */
export function ownServer(tools: ToolAccess | null): Record<string, McpServerConfig> {
  if (tools === null) return {}
  // The header becomes an argument of the process, which every user can read; its environment they cannot.
  const headers = { Authorization: `Bearer \${${TOKEN_VARIABLE}}` }
  return { [OWN_SERVER]: { type: 'http', url: tools.url, headers, alwaysLoad: true } }
}

/** Environment variable with the token for Longhaul's tools. */
export const TOKEN_VARIABLE = 'LONGHAUL_TOOLS_TOKEN'

function permissions({ access }: AgentSettings, { refuse }: AgentCallbacks): Partial<Options> {
  if (access === 'full') return { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true }
  return {
    permissionMode: 'default',
    // Claude Code may ask again for a call that the hook below has allowed.
    canUseTool: async (tool, input, { toolUseID }) => {
      const message = refuse(toolUseID, tool, input)
      return message === null ? { behavior: 'allow', updatedInput: input } : { behavior: 'deny', message }
    },
  }
}

function hooksFor({ refuse, shouldStop, onCompact }: AgentCallbacks): NonNullable<Options['hooks']> {
  const hook = (answer: (input: HookInput) => HookJSONOutput | Promise<HookJSONOutput>) => [
    { hooks: [async (input: HookInput) => answer(input)] },
  ]
  const boundary = hook((input) => {
    // Tools of subagents run inside one tool call; an answer in a form is the end already.
    if (input.agent_id !== undefined || isFormAnswer(input) || !shouldStop()) return {}
    return { continue: false, stopReason: 'The session hands over.' }
  })
  return {
    PreToolUse: hook((input) => (input.hook_event_name === 'PreToolUse' ? permission(input, refuse) : {})),
    PostToolUse: boundary,
    PostToolUseFailure: boundary,
    PreCompact: hook(async () => ({ systemMessage: await onCompact() })),
  }
}

function isFormAnswer(input: HookInput): boolean {
  return 'tool_name' in input && input.tool_name === FORM_TOOL
}

function permission(
  { tool_use_id: toolUseId, tool_name: tool, tool_input: input }: Extract<HookInput, { hook_event_name: 'PreToolUse' }>,
  refuse: AgentCallbacks['refuse'],
): HookJSONOutput {
  const reason = refuse(toolUseId, tool, input as Readonly<Record<string, unknown>>)
  const decision = reason === null ? 'allow' : 'deny'
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: decision,
      ...(reason === null ? {} : { permissionDecisionReason: reason }),
    },
  }
}
