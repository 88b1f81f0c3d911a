import { isCodingPhase } from '../core/phases/rehearsal.ts'
import { roleOfPhase } from '../core/phases/roles.ts'
import { globPattern } from '../core/reading/text.ts'
import type { LabConversation } from './conversation.ts'
import type { HistoryEntry } from './dialect.ts'
import type { Scenario, ScenarioRule } from './scenario.ts'
import { type Turn, turnsOf, turnsPlayed } from './turns.ts'

/** Rule and turn that answer a prompt. */
export interface Choice {
  /** Number of the rule, from 1. */
  readonly rule: number
  readonly turn: Turn
}

/** Returns the next turn of a conversation, or null when no rule matches its prompt. */
export function chooseTurn({ rules }: Scenario, conversation: LabConversation, session: number): Choice | null {
  const { remark, prompt, since } = conversation
  // A remark of a person during a round matters only when a rule with `match` fits it.
  const forRemark = remark === null ? -1 : rules.findIndex((rule) => rule.match !== null && matches(rule, remark.text))
  if (remark !== null && forRemark >= 0) return choice(forRemark, remark.since)
  return choice(
    rules.findIndex((rule) => matches(rule, prompt)),
    since,
  )

  function matches(rule: ScenarioRule, text: string): boolean {
    return matchesConversation(rule, conversation, session) && (rule.match === null || hasText(text, rule.match))
  }

  function choice(index: number, after: readonly HistoryEntry[]): Choice | null {
    const rule = rules[index]
    if (rule === undefined) return null
    const turns = turnsOf(rule, namesIn(conversation, session))
    const turn = turns[turnsPlayed(turns, after)]
    return turn === undefined ? null : { rule: index + 1, turn }
  }
}

function matchesConversation(
  rule: ScenarioRule,
  { task, phase, attempt, round, from }: LabConversation,
  session: number,
): boolean {
  const agrees = (expected: number | null, actual: number | null): boolean => expected === null || expected === actual
  return (
    rule.from === from &&
    matchesPhase(rule, phase) &&
    agrees(rule.attempt, attempt) &&
    agrees(rule.session, session) &&
    agrees(rule.round, round) &&
    (rule.task === null || globPattern(rule.task).test(task ?? ''))
  )
}

function matchesPhase(rule: ScenarioRule, phase: string | null): boolean {
  if (rule.phase !== null) return rule.phase === phase
  return phase === null || rule.match !== null || isCodingPhase(phase, roleOfPhase({ name: phase }))
}

function hasText(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}

/** Returns the values for names in braces; unknown names stay unchanged. */
function namesIn(
  { task, attempt, round }: LabConversation,
  session: number,
): Readonly<Record<string, string | number>> {
  return { ...(task === null ? {} : { task }), ...(attempt === null ? {} : { attempt }), session, round }
}
