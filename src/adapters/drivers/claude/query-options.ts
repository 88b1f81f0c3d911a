import type { HookInput, HookJSONOutput, McpServerConfig, Options } from '@anthropic-ai/claude-agent-sdk'
import type { AgentSettings } from '../../../core/model/settings.ts'
import { answerSchema } from '../../../forms/answer-form.ts'
import type { RoundSpec } from '../../../ports/agent-driver.ts'
import type { ToolAccess } from '../../../ports/agent-tools.ts'
import { FORM_TOOL, hiddenTools, OWN_SERVER, shownTools } from './access.ts'

/** How a session is opened: known to the agent already, or to be made. */
export type Opening = 'resume' | 'create'

/** What the agent's own process asks us while it works. */
export interface Questions {
  /** Why a tool may not be used so; null: it may. */
  refuse(use: string, tool: string, input: Readonly<Record<string, unknown>>): string | null
  /** Whether the session shall stop at this boundary between two tools. */
  stopsHere(): boolean
  /** The context is about to be compacted; gives what to keep. */
  compacting(transcript: string): Promise<string>
}

/** The agent's settings and our answers, as the SDK wants them. */
export function queryOptions(
  { order, form }: Pick<RoundSpec, 'order' | 'form'>,
  opening: Opening,
  questions: Questions,
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
    ...permissions(agent, questions),
    maxTurns: turnsMax,
    disallowedTools: [...hiddenTools(agent)],
    settingSources: [...agent.settingSources],
    strictMcpConfig: true,
    systemPrompt: {
      ...({ type: 'preset', preset: 'claude_code' } as const),
      ...(agent.systemPrompt === null ? {} : { append: agent.systemPrompt }),
    },
    includePartialMessages: true,
    // A brief is no command line: neither "@file" nor "/command" in it means anything.
    verbatimPrompts: true,
    settings: { autoCompactEnabled: order.context.policy === 'compact' },
    hooks: hooksFor(questions),
  }
}

/** The MCP servers of the settings, as the SDK wants them. */
export function mcpServers(mcp: AgentSettings['mcp']): Record<string, McpServerConfig> {
  const entries = Object.entries(mcp).map(([name, server]): [string, McpServerConfig] => {
    if (server.kind === 'program')
      return [name, { command: server.command, args: [...server.args], env: { ...server.env } }]
    return [name, { type: server.kind, url: server.url, headers: { ...server.headers } }]
  })
  return Object.fromEntries(entries)
}

/** Our own tools, as the SDK wants them: there from the first turn on, not behind a search. */
export function ownServer(tools: ToolAccess | null): Record<string, McpServerConfig> {
  if (tools === null) return {}
  // Every user of the machine can read the agent's arguments, where this ends up; its variables they cannot.
  const headers = { Authorization: `Bearer \${${TOKEN_VARIABLE}}` }
  return { [OWN_SERVER]: { type: 'http', url: tools.url, headers, alwaysLoad: true } }
}

/** The variable in which the agent's process gets its token for our tools. */
export const TOKEN_VARIABLE = 'LONGHAUL_TOOLS_TOKEN'

function permissions({ access }: AgentSettings, { refuse }: Questions): Partial<Options> {
  if (access === 'full') return { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true }
  return {
    permissionMode: 'default',
    // What the hook below lets pass the agent may still ask about; it gets the same answer, at once.
    canUseTool: async (tool, input, { toolUseID }) => {
      const message = refuse(toolUseID, tool, input)
      return message === null ? { behavior: 'allow', updatedInput: input } : { behavior: 'deny', message }
    },
  }
}

function hooksFor({ refuse, stopsHere, compacting }: Questions): NonNullable<Options['hooks']> {
  const hook = (answer: (input: HookInput) => HookJSONOutput | Promise<HookJSONOutput>) => [
    { hooks: [async (input: HookInput) => answer(input)] },
  ]
  const boundary = hook((input) => {
    // A subagent's tools are inside one tool of ours; an answer in a form is the end already.
    if (input.agent_id !== undefined || isAnswer(input) || !stopsHere()) return {}
    return { continue: false, stopReason: 'The session hands over.' }
  })
  return {
    PreToolUse: hook((input) => (input.hook_event_name === 'PreToolUse' ? permission(input, refuse) : {})),
    PostToolUse: boundary,
    PostToolUseFailure: boundary,
    PreCompact: hook(async (input) => ({ systemMessage: await compacting(input.transcript_path) })),
  }
}

function isAnswer(input: HookInput): boolean {
  return 'tool_name' in input && input.tool_name === FORM_TOOL
}

function permission(
  { tool_use_id: use, tool_name: tool, tool_input: input }: Extract<HookInput, { hook_event_name: 'PreToolUse' }>,
  refuse: Questions['refuse'],
): HookJSONOutput {
  const reason = refuse(use, tool, input as Readonly<Record<string, unknown>>)
  const decision = reason === null ? 'allow' : 'deny'
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: decision,
      ...(reason === null ? {} : { permissionDecisionReason: reason }),
    },
  }
}
