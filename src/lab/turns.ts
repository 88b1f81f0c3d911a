import { CLAIM_TAGS } from '../core/phases/read-report.ts'
import { fillIn } from '../core/reading/text.ts'
import type { Act, ScenarioFault, ScenarioRule, ScenarioStep, ToolAct } from './scenario.ts'

/** One answer of the model: some text, and at most one tool. */
export interface Turn {
  readonly text: string
  readonly act: ToolAct | null
  readonly usage: ScenarioStep['usage']
  readonly fault: ScenarioFault | null
  /** The number of its last step; 0: of none, the steps are played. */
  readonly step: number
}

/** A rule's steps as answers: what is said goes along with the tool that follows, and the last answer has none. */
export function turnsOf({ steps }: ScenarioRule, names: Readonly<Record<string, string | number>>): readonly Turn[] {
  const turns: Turn[] = []
  let said: Turn = NOTHING
  for (const [index, step] of steps.entries()) {
    said = withStep(said, step, index + 1, names)
    if (said.act === null) continue
    turns.push(said)
    said = NOTHING
  }
  return [...turns, said.text === '' ? { ...said, text: PLAYED } : said]
}

const NOTHING: Turn = { text: '', act: null, usage: null, fault: null, step: 0 }
const PLAYED = 'That is all.'

function withStep(
  turn: Turn,
  step: ScenarioStep,
  number: number,
  names: Readonly<Record<string, string | number>>,
): Turn {
  const act = filledIn(step.act, (text) => fillIn(text, names))
  const text = textOf(act)
  return {
    text: [turn.text, text].filter((part) => part !== '').join('\n\n'),
    act: act.kind === 'say' || act.kind === 'report' ? null : act,
    usage: step.usage ?? turn.usage,
    fault: step.fault ?? turn.fault,
    step: number,
  }
}

function filledIn(act: Act, fill: (text: string) => string): Act {
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

/** What is said in words; a claim is said in tags. */
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
