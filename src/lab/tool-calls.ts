import { isAbsolute, join } from 'node:path'
import type { Ask, ModelToolCall } from './dialect.ts'
import type { ToolAct } from './scenario.ts'

type Wanted = Omit<ModelToolCall, 'id'>

/** The call of one of the agent's tools that does an act; null: the agent has no such tool. */
export function callFor(act: ToolAct, ask: Pick<Ask, 'tools' | 'folder'>): Wanted | null {
  if (act.kind === 'call') return namedCall(act, ask)
  const offered = new Set(ask.tools.map(({ name }) => name))
  const found = waysOf(act, (path) => placeOf(path, ask.folder)).find(({ tool }) => offered.has(tool))
  return found ?? null
}

/** The tool that brings deferred ones within reach. */
export const SEARCH = 'ToolSearch'

/** The call that looks for a deferred tool. */
export function searchCall(tool: string): Wanted {
  return { tool: SEARCH, input: { query: `select:${tool}`, max_results: 1 } }
}

/** A tool by its name, or by its name within the MCP server that offers it. */
function namedCall({ tool, input }: Extract<ToolAct, { kind: 'call' }>, { tools }: Pick<Ask, 'tools'>): Wanted {
  const names = tools.map(({ name }) => name)
  const full = names.includes(tool) ? tool : (names.find((name) => name.endsWith(`__${tool}`)) ?? tool)
  return { tool: full, input }
}

/** How known agents do an act, in the order in which their tools are looked for. */
function waysOf(act: Exclude<ToolAct, { kind: 'call' }>, place: (path: string) => string): readonly Wanted[] {
  switch (act.kind) {
    case 'write':
      return [{ tool: 'Write', input: { file_path: place(act.path), content: act.text } }]
    case 'edit':
      return [{ tool: 'Edit', input: { file_path: place(act.path), old_string: act.old, new_string: act.new } }]
    case 'run':
      return [{ tool: 'Bash', input: { command: act.command, description: 'As the scenario says' } }]
    case 'answer':
      return [{ tool: 'StructuredOutput', input: act.form }]
  }
}

function placeOf(path: string, folder: string | null): string {
  return isAbsolute(path) || folder === null ? path : join(folder, path)
}
