import type { Ask, Entry, ModelToolCall } from './dialect.ts'
import type { ToolAct } from './scenario.ts'
import { callFor, SEARCH, searchCall } from './tool-calls.ts'
import type { Turn } from './turns.ts'

/** How many of a rule's answers have been given since the prompt: as many as there are results of their tools. */
export function turnsPlayed(turns: readonly Turn[], since: readonly Entry[]): number {
  let played = 0
  for (const { tool } of callsReturned(since)) {
    const act = turns[played]?.act
    const isPreparation = tool === SEARCH && act?.kind === 'call' && act.tool !== SEARCH
    if (!isPreparation) played++
  }
  return Math.min(played, turns.length - 1)
}

/** The call that comes next for an act: itself, or the search for its tool; null: the agent has no tool for it. */
export function nextCall(act: ToolAct, ask: Ask): Omit<ModelToolCall, 'id'> | null {
  const call = callFor(act, ask)
  return call === null || isWithinReach(call.tool, ask) ? call : searchCall(call.tool)
}

type Called = Extract<Entry, { kind: 'called' }>

function callsReturned(since: readonly Entry[]): readonly Called[] {
  const calls = new Map(since.flatMap((entry) => (entry.kind === 'called' ? [[entry.id, entry]] : [])))
  return since.flatMap((entry) => (entry.kind === 'returned' ? (calls.get(entry.id) ?? []) : []))
}

function isWithinReach(tool: string, { tools, history }: Ask): boolean {
  const offered = tools.find(({ name }) => name === tool)
  const canSearch = tools.some(({ name }) => name === SEARCH)
  if (!canSearch || (offered !== undefined && !offered.isDeferred)) return true
  return history.some((entry) => entry.kind === 'called' && isSearchFor(entry, tool))
}

function isSearchFor({ tool, input }: Called, wanted: string): boolean {
  return tool === SEARCH && JSON.stringify(input).includes(`select:${wanted}`)
}
