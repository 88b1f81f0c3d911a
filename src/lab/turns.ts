import { CLAIM_TAGS } from '../core/phases/read-report.ts'
import { fillIn } from '../core/reading/text.ts'
import type { HistoryEntry } from './dialect.ts'
import type { Act, ScenarioFault, ScenarioRule, ScenarioStep, ToolAct } from './scenario.ts'
import { SEARCH } from './tool-calls.ts'

/** Answer of the model: some text, and at most one tool call. */
export interface Turn {
  readonly text: string
  readonly act: ToolAct | null
  readonly usage: ScenarioStep['usage']
  readonly fault: ScenarioFault | null
  /** Number of its last step; 0 after the last step of the rule. */
  readonly step: number
}

/** Groups the steps of a rule into turns: text joins the tool call that follows, and the last turn has no call. */
export function turnsOf({ steps }: ScenarioRule, names: Readonly<Record<string, string | number>>): readonly Turn[] {
  const turns: Turn[] = []
  let turn: Turn = EMPTY_TURN
  for (const [index, step] of steps.entries()) {
    turn = withStep(turn, step, index + 1, names)
    if (turn.act === null) continue
    turns.push(turn)
    turn = EMPTY_TURN
  }
  return [...turns, turn.text === '' ? { ...turn, text: END_TEXT } : turn]
}

/** Counts the turns since the prompt whose tools have returned; a search for a deferred tool is not a turn. */
export function turnsPlayed(turns: readonly Turn[], since: readonly HistoryEntry[]): number {
  let played = 0
  for (const { tool } of returnedCalls(since)) {
    const act = turns[played]?.act
    const isPreparation = tool === SEARCH && act?.kind === 'call' && act.tool !== SEARCH
    if (!isPreparation) played++
  }
  return Math.min(played, turns.length - 1)
}

function returnedCalls(since: readonly HistoryEntry[]): readonly Extract<HistoryEntry, { kind: 'tool-call' }>[] {
  const calls = new Map(since.flatMap((entry) => (entry.kind === 'tool-call' ? [[entry.id, entry]] : [])))
  return since.flatMap((entry) => (entry.kind === 'tool-result' ? (calls.get(entry.id) ?? []) : []))
}

const EMPTY_TURN: Turn = { text: '', act: null, usage: null, fault: null, step: 0 }
const END_TEXT = 'That is all.'

function withStep(
  turn: Turn,
  step: ScenarioStep,
  number: number,
  names: Readonly<Record<string, string | number>>,
): Turn {
  const act = fillAct(step.act, (text) => fillIn(text, names))
  const text = textOf(act)
  return {
    text: [turn.text, text].filter((part) => part !== '').join('\n\n'),
    act: act.kind === 'say' || act.kind === 'report' ? null : act,
    usage: step.usage ?? turn.usage,
    fault: step.fault ?? turn.fault,
    step: number,
  }
}

function fillAct(act: Act, fill: (text: string) => string): Act {
  switch (act.kind) {
    case 'say':
      return { ...act, text: fill(act.text) }
    case 'report':
      return { ...act, reason: fill(act.reason) }
    case 'write':
      return { ...act, path: fill(act.path), text: fill(act.text) }
    case 'edit':
      return { ...act, path: fill(act.path), old: fill(act.old), new: fill(act.new) }
    case 'run':
      return { ...act, command: fill(act.command) }
    case 'call':
    case 'answer':
      return act
  }
}

/** Returns the text of an act; a claim becomes a tag. */
function textOf(act: Act): string {
  if (act.kind === 'say') return act.text
  if (act.kind !== 'report') return ''
  switch (act.claim) {
    case 'done':
      return `${act.reason}\n${CLAIM_TAGS.done}`.trim()
    case 'blocked':
      return `<phase_blocked>${act.reason || 'The scenario gives no reason.'}</phase_blocked>`
    case 'continue':
      return `${act.reason}\n${CLAIM_TAGS.continue}`.trim()
  }
}
