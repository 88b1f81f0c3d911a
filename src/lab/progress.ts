import type { Ask, Entry, ToolCall } from './dialect.ts'
import type { ToolAct } from './scenario.ts'
import { callFor, readCall, searchCall } from './tool-calls.ts'
import type { Turn } from './turns.ts'

type Called = Extract<Entry, { kind: 'called' }>
type Returned = Extract<Entry, { kind: 'returned' }>

/** How many of a rule's answers have been given since the prompt: as many as there are results of their tools. */
export function turnsPlayed(turns: readonly Turn[], since: readonly Entry[]): number {
  let played = 0
  for (const { call, result } of resultsIn(since)) {
    const act = turns[played]?.act ?? null
    if (act === null || !isPreparation(act, call, result)) played++
  }
  return Math.min(played, turns.length - 1)
}

/** The call that comes next for an act: itself, or what the agent wants done before; null: it has no tool for it. */
export function nextCall(act: ToolAct, ask: Ask, since: readonly Entry[]): Omit<ToolCall, 'id'> | null {
  const call = callFor(act, ask)
  if (call === null) return null
  if (act.kind === 'call') return isWithinReach(call.tool, ask) ? call : searchCall(call.tool)
  const last = resultsIn(since).at(-1)
  const mustRead = act.kind !== 'run' && last !== undefined && isUnread(last.result)
  return mustRead ? readCall(act.path, ask.folder) : call
}

function resultsIn(since: readonly Entry[]): readonly { readonly call: Called; readonly result: Returned }[] {
  return since.flatMap((result) => {
    if (result.kind !== 'returned') return []
    const call = since.find((entry) => entry.kind === 'called' && entry.id === result.id)
    return call?.kind === 'called' ? [{ call, result }] : []
  })
}

function isPreparation(act: ToolAct, call: Called, result: Returned): boolean {
  if (act.kind === 'call') return call.tool === 'ToolSearch' && act.tool !== 'ToolSearch'
  if (act.kind === 'run') return false
  return call.tool === 'Read' || isUnread(result)
}

// Claude Code changes a file that is there only when the session has read it.
function isUnread({ isError, text }: Returned): boolean {
  return isError && /has not been read yet|modified since read/i.test(text)
}

function isWithinReach(tool: string, { tools, history }: Ask): boolean {
  const offered = tools.find(({ name }) => name === tool)
  const canSearch = tools.some(({ name }) => name === 'ToolSearch')
  if (!canSearch || (offered !== undefined && !offered.isDeferred)) return true
  return history.some((entry) => entry.kind === 'called' && isSearchFor(entry, tool))
}

function isSearchFor({ tool, input }: Called, wanted: string): boolean {
  return tool === 'ToolSearch' && JSON.stringify(input).includes(`select:${wanted}`)
}
