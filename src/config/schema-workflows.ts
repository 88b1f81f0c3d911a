import { z } from 'zod'
import { WEIGHTS } from '../core/model/task.ts'
import { COMMIT_SPANS, PHASE_BY, ROLES, SESSION_SPANS } from '../core/model/workflow.ts'
import { choice, keys, list, text, whole } from './schema-parts.ts'
import { phasesFit } from './workflow-rules.ts'

const name = () =>
  z.string({ error: 'text' }).regex(/^[a-z][a-z0-9-]{0,31}$/, { error: 'a name of small letters, digits and "-"' })

const phase = keys({
  name: name().describe('What the phase is called.'),
  by: choice(PHASE_BY).default('agent').describe('Who works in it: an agent, the gates alone, or a person.'),
  role: choice(ROLES).optional().describe('What its agent is there for.'),
  driver: text().nullable().default(null).describe("The driver, where it is not its role's."),
  model: text().nullable().default(null).describe("The model, where it is not its role's."),
  prompt: name().nullable().default(null).describe('The template of its prompt; null: the one of its own name.'),
  gates: z
    .union([z.literal('all'), z.array(text())], { error: 'all, or a list of names of gates' })
    .optional()
    .describe('The gates that must pass before the next phase.'),
  back_to: name().nullable().optional().describe('Where findings send the work.'),
  rounds: whole(1, 200).nullable().default(null).describe('Rounds at most.'),
})

const workflow = keys({
  session: choice(SESSION_SPANS).default('phase').describe('Where a conversation goes on.'),
  commit: choice(COMMIT_SPANS).default('phase').describe('What becomes one commit.'),
  rounds: whole(1, 200).default(20).describe('Rounds per phase at most.'),
  phases: list(phase, 'phases').default([]).describe('The phases, in order.'),
}).superRefine(phasesFit)

/** How a task of each weight is worked on. */
export const workflows = z.partialRecord(choice(WEIGHTS), workflow, {
  error: (issue) => (issue.code === 'invalid_key' ? `one of ${WEIGHTS.join(', ')}` : 'a map of weights'),
})

/** A phase as it is written. */
export type WrittenPhase = z.infer<typeof phase>
export type WrittenWorkflow = z.infer<typeof workflow>
