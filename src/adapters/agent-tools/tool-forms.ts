import { z } from 'zod'
import type { TaskId } from '../../core/model/ids.ts'
import type { ToolCall, ToolName } from '../../core/model/tool-call.ts'
import { claimOf, qaShape, reviewShape, standingShape, text } from '../../forms/report-shapes.ts'
import { proposalShape, toProposal } from './tool-shapes.ts'

/** What an agent reads about a tool, what it has to give, and the call that this makes. */
export interface ToolForm {
  readonly about: string
  readonly schema: z.ZodObject
  toCall(input: unknown): ToolCall
}

/** All tools that agents can have, by name. */
export const TOOL_FORMS: Readonly<Record<ToolName, ToolForm>> = {
  report: form(
    'Says how your work stands, once you stop: done (we check it), continue (more is to be done), or blocked (only a person can help; give the reason). The last report of an answer counts.',
    standingShape,
    (input) => ({ kind: 'report', claim: claimOf(input) }),
  ),
  ask: form(
    'Asks the person in charge a question that only they can decide. Stop working right after it.',
    { question: text(2_000).min(1) },
    (input) => ({ kind: 'ask', ...input }),
  ),
  progress: form(
    'Tells people who watch what you have got done, in a sentence. For milestones of the work, not for each step.',
    { text: text(500).min(1) },
    (input) => ({ kind: 'progress', ...input }),
  ),
  note: form(
    'Keeps a note for a session that may have to go on in your place: goal, completed, remaining, do not redo, decisions, each under a heading. A later note replaces an earlier one.',
    { text: text(20_000).min(1) },
    (input) => ({ kind: 'note', ...input }),
  ),
  propose: form(
    'Proposes a follow-up task: work that is needed and does not belong to your task. A person decides; until then nobody works on it, and none of its commands runs.',
    proposalShape,
    (input) => ({ kind: 'propose', proposal: toProposal(input) }),
  ),
  learn: form(
    'Records one thing that agents of later tasks in this repository must know: a decision with its reason, or a trap. Not what the code itself says.',
    { text: text(500).min(1), files: z.array(text(200).min(1)).max(10).default([]).describe('globs where it matters') },
    (input) => ({ kind: 'learn', knowledge: input }),
  ),
  review: form(
    'Hands in your review: what is wrong and where, open questions, what is good; with a decision once you have one.',
    reviewShape,
    (input) => ({ kind: 'review', review: input }),
  ),
  qa: form(
    'Hands in what testing came to: tests written, what ran, coverage, documents, and faults with how to see them.',
    qaShape,
    (input) => ({ kind: 'qa', qa: input }),
  ),
  task: form(
    'Shows your task whole, or another one by its id: brief, acceptance, commands, state.',
    { id: text(64).nullable().default(null) },
    ({ id }) => ({ kind: 'task', id: id as TaskId | null }),
  ),
  backlog: form(
    'Lists tasks with id, state and title, 200 on a page; a filter keeps those with that text in the line.',
    { filter: text(200).nullable().default(null), page: z.int().min(1).max(10_000).default(1) },
    (input) => ({ kind: 'backlog', ...input }),
  ),
  checks: form('Shows the commands that will be run to check your work.', {}, () => ({ kind: 'checks' })),
  findings: form('Shows what checks found in your work and is still to be mended.', {}, () => ({ kind: 'findings' })),
  limits: form('Shows how many turns, how much money and how much room in your session are left.', {}, () => ({
    kind: 'limits',
  })),
  recall: form('Looks up what agents of earlier tasks recorded, by words.', { words: text(200).min(1) }, (input) => ({
    kind: 'recall',
    ...input,
  })),
}

function form<Shape extends z.core.$ZodLooseShape>(
  about: string,
  shape: Shape,
  toCall: (input: z.infer<z.ZodObject<Shape, z.core.$strict>>) => ToolCall,
): ToolForm {
  const schema = z.strictObject(shape)
  return { about, schema, toCall: (input) => toCall(schema.parse(input)) }
}
