import { globPattern } from '../core/reading/glob-pattern.ts'
import type { Conversation } from './conversation.ts'
import { turnsPlayed } from './progress.ts'
import type { Rule, Scenario } from './scenario.ts'
import { type Turn, turnsOf } from './turns.ts'

/** What the scenario says to a prompt. */
export interface Choice {
  /** The rule's number, from 1. */
  readonly rule: number
  readonly turn: Turn
}

/** The answer that is next in a conversation; null: no rule fits its prompt. */
export function chooseTurn(
  { rules }: Scenario,
  conversation: Conversation,
  session: number,
  isFit: (rule: Rule) => boolean,
): Choice | null {
  const index = rules.findIndex((rule) => isFit(rule) && fits(rule, conversation, session))
  const rule = rules[index]
  if (rule === undefined) return null
  const { task, attempt, round, since } = conversation
  const names = { ...(task === null ? {} : { task }), ...(attempt === null ? {} : { attempt }), session, round }
  const turns = turnsOf(rule, names)
  const turn = turns[turnsPlayed(turns, since)]
  return turn === undefined ? null : { rule: index + 1, turn }
}

function fits(rule: Rule, { task, attempt, round, prompt }: Conversation, session: number): boolean {
  const agrees = (wanted: number | null, given: number | null): boolean => wanted === null || wanted === given
  return (
    agrees(rule.attempt, attempt) &&
    agrees(rule.session, session) &&
    agrees(rule.round, round) &&
    (rule.task === null || globPattern(rule.task).test(task ?? '')) &&
    (rule.match === null || prompt.toLowerCase().includes(rule.match.toLowerCase()))
  )
}
