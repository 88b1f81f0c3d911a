import { z } from 'zod'
import type { TaskId } from '../../core/model/ids.ts'
import type { ToolCall, ToolName } from '../../core/model/tool-call.ts'
import { claimOf, qaShape, reviewShape, standingShape, text } from '../../forms/report-shapes.ts'
import { proposalShape, toProposal } from './tool-shapes.ts'

/** Description and input schema of a tool, and the call made from its input. */
export interface ToolForm {
  readonly description: string
  readonly schema: z.ZodObject
  toCall(input: unknown): ToolCall
}

/** All tools for agents, by name. */
export const TOOL_FORMS: Readonly<Record<ToolName, ToolForm>> = {
  report: form(
    'Reports the state of your work when you stop: done (it will be checked), continue (more work is needed), or blocked (only a person can help; give the reason). The last report of an answer counts.',
    standingShape,
    (input) => ({ kind: 'report', claim: claimOf(input) }),
  ),
  ask: form(
    'Asks the person in charge a question that only they can decide. Stop working right after it.',
    { question: text(2_000).min(1) },
    (input) => ({ kind: 'ask', ...input }),
  ),
  progress: form(
    'Reports progress in one sentence to people who watch. For milestones of the work, not for each step.',
    { text: text(500).min(1) },
    (input) => ({ kind: 'progress', ...input }),
  ),
  note: form(
    'Saves a note for a session that may have to continue your work: goal, completed, remaining, do not redo, decisions, each under a heading. A later note replaces an earlier one.',
    { text: text(20_000).min(1) },
    (input) => ({ kind: 'note', ...input }),
  ),
  propose: form(
    'Proposes a follow-up task: work that is needed and does not belong to your task. A person decides; until then no work on it starts, and none of its commands runs.',
    proposalShape,
    (input) => ({ kind: 'propose', proposal: toProposal(input) }),
  ),
  learn: form(
    'Records one thing that agents of later tasks in this repository must know: a decision with its reason, or a pitfall. Not what the code itself shows.',
    { text: text(500).min(1), files: z.array(text(200).min(1)).max(10).default([]).describe('globs where it matters') },
    (input) => ({ kind: 'learn', knowledge: input }),
  ),
  review: form(
    'Submits your review: what is wrong and where, open questions, what is good; with a decision once you have one.',
    reviewShape,
    (input) => ({ kind: 'review', review: input }),
  ),
  qa: form(
    'Submits your test results: tests written, what ran, coverage, documents, and faults with steps to reproduce them.',
    qaShape,
    (input) => ({ kind: 'qa', qa: input }),
  ),
  task: form(
    'Shows your whole task, or another one by its id: brief, acceptance, commands, state.',
    { id: text(64).nullable().default(null) },
    ({ id }) => ({ kind: 'task', id: id as TaskId | null }),
  ),
  backlog: form(
    'Lists tasks with id, state and title, 200 on a page; a filter keeps those with that text in the line.',
    { filter: text(200).nullable().default(null), page: z.int().min(1).max(10_000).default(1) },
    (input) => ({ kind: 'backlog', ...input }),
  ),
  checks: form('Shows the commands that will be run to check your work.', {}, () => ({ kind: 'checks' })),
  findings: form('Shows the findings of checks that you still have to fix.', {}, () => ({ kind: 'findings' })),
  limits: form('Shows how many turns, how much money and how much context are left.', {}, () => ({
    kind: 'limits',
  })),
  recall: form('Searches by words what agents of earlier tasks recorded.', { words: text(200).min(1) }, (input) => ({
    kind: 'recall',
    ...input,
  })),
}

function form<Shape extends z.core.$ZodLooseShape>(
  description: string,
  shape: Shape,
  toCall: (input: z.infer<z.ZodObject<Shape, z.core.$strict>>) => ToolCall,
): ToolForm {
  const schema = z.strictObject(shape)
  return { description, schema, toCall: (input) => toCall(schema.parse(input)) }
}
