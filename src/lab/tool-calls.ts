import { isAbsolute, join } from 'node:path'
import type { HistoryEntry, ModelRequest, ModelToolCall } from './dialect.ts'
import type { ToolAct } from './scenario.ts'

type NewCall = Omit<ModelToolCall, 'id'>

/** Returns the tool call for an act, or null when the agent has no tool for it. */
export function callFor(act: ToolAct, request: Pick<ModelRequest, 'tools' | 'folder'>): NewCall | null {
  if (act.kind === 'call') return namedCall(act, request)
  const offered = new Set(request.tools.map(({ name }) => name))
  return knownCalls(act, (path) => absolutePath(path, request.folder)).find(({ tool }) => offered.has(tool)) ?? null
}

/** Returns the next call for an act: itself, or the search for its deferred tool; null when the agent has no tool for it. */
export function nextCall(act: ToolAct, request: ModelRequest): NewCall | null {
  const call = callFor(act, request)
  return call === null || isAvailable(call.tool, request) ? call : searchCall(call.tool)
}

function isAvailable(tool: string, { tools, history }: ModelRequest): boolean {
  const offered = tools.find(({ name }) => name === tool)
  const canSearch = tools.some(({ name }) => name === SEARCH)
  if (!canSearch || (offered !== undefined && !offered.isDeferred)) return true
  return history.some((entry) => entry.kind === 'tool-call' && isSearchFor(entry, tool))
}

function isSearchFor({ tool, input }: Extract<HistoryEntry, { kind: 'tool-call' }>, target: string): boolean {
  return tool === SEARCH && JSON.stringify(input).includes(`select:${target}`)
}

/** Tool that makes deferred tools available. */
export const SEARCH = 'ToolSearch'

function searchCall(tool: string): NewCall {
  return { tool: SEARCH, input: { query: `select:${tool}`, max_results: 1 } }
}

/** Finds a tool by its name, or by its name within an MCP server. */
function namedCall(
  { tool, input }: Extract<ToolAct, { kind: 'call' }>,
  { tools }: Pick<ModelRequest, 'tools'>,
): NewCall {
  const names = tools.map(({ name }) => name)
  const full = names.includes(tool) ? tool : (names.find((name) => name.endsWith(`__${tool}`)) ?? tool)
  return { tool: full, input }
}

/** Returns the calls with which known agents do an act, by preference. */
function knownCalls(act: Exclude<ToolAct, { kind: 'call' }>, toAbsolute: (path: string) => string): readonly NewCall[] {
  switch (act.kind) {
    case 'write':
      return [{ tool: 'Write', input: { file_path: toAbsolute(act.path), content: act.text } }]
    case 'edit':
      return [{ tool: 'Edit', input: { file_path: toAbsolute(act.path), old_string: act.old, new_string: act.new } }]
    case 'run':
      return [{ tool: 'Bash', input: { command: act.command, description: 'As the scenario says' } }]
    case 'answer':
      return [{ tool: 'StructuredOutput', input: act.form }]
  }
}

function absolutePath(path: string, folder: string | null): string {
  return isAbsolute(path) || folder === null ? path : join(folder, path)
}
