import { isCodingPhase } from '../core/phases/rehearsal.ts'
import { roleOfPhase } from '../core/phases/workflows.ts'
import { globPattern } from '../core/reading/text.ts'
import type { LabConversation } from './conversation.ts'
import type { Entry } from './dialect.ts'
import { turnsPlayed } from './progress.ts'
import type { Scenario, ScenarioRule } from './scenario.ts'
import { type Turn, turnsOf } from './turns.ts'

/** What the scenario says to a prompt. */
export interface Choice {
  /** The rule's number, from 1. */
  readonly rule: number
  readonly turn: Turn
}

/** The answer that is next in a conversation; null: no rule fits its prompt. */
export function chooseTurn({ rules }: Scenario, conversation: LabConversation, session: number): Choice | null {
  const { remark, prompt, since } = conversation
  // What a person says in mid-round changes the script only where a rule is written for it.
  const forRemark = remark === null ? -1 : rules.findIndex((rule) => rule.match !== null && fits(rule, remark.text))
  if (remark !== null && forRemark >= 0) return choice(forRemark, remark.since)
  return choice(
    rules.findIndex((rule) => fits(rule, prompt)),
    since,
  )

  function fits(rule: ScenarioRule, text: string): boolean {
    return isFor(rule, conversation, session) && (rule.match === null || hasText(text, rule.match))
  }

  function choice(index: number, after: readonly Entry[]): Choice | null {
    const rule = rules[index]
    if (rule === undefined) return null
    const turns = turnsOf(rule, namesIn(conversation, session))
    const turn = turns[turnsPlayed(turns, after)]
    return turn === undefined ? null : { rule: index + 1, turn }
  }
}

function isFor(rule: ScenarioRule, { task, phase, attempt, round, from }: LabConversation, session: number): boolean {
  const agrees = (wanted: number | null, given: number | null): boolean => wanted === null || wanted === given
  return (
    rule.from === from &&
    isForPhase(rule, phase) &&
    agrees(rule.attempt, attempt) &&
    agrees(rule.session, session) &&
    agrees(rule.round, round) &&
    (rule.task === null || globPattern(rule.task).test(task ?? ''))
  )
}

function isForPhase(rule: ScenarioRule, phase: string | null): boolean {
  if (rule.phase !== null) return rule.phase === phase
  return phase === null || rule.match !== null || isCodingPhase(phase, roleOfPhase({ name: phase }))
}

function hasText(text: string, wanted: string): boolean {
  return text.toLowerCase().includes(wanted.toLowerCase())
}

/** What a scenario may write in braces; what is not known stays as it is written. */
function namesIn(
  { task, attempt, round }: LabConversation,
  session: number,
): Readonly<Record<string, string | number>> {
  return { ...(task === null ? {} : { task }), ...(attempt === null ? {} : { attempt }), session, round }
}
