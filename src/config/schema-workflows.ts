import { z } from 'zod'
import { WEIGHTS } from '../core/model/task.ts'
import { COMMIT_SPANS, PHASE_BY, ROLES, SESSION_SPANS } from '../core/model/workflow.ts'
import { choice, keys, list, text, whole } from './schema-parts.ts'
import { phasesFit } from './workflow-rules.ts'

const name = () =>
  z.string({ error: 'text' }).regex(/^[a-z][a-z0-9-]{0,31}$/, { error: 'a name of lowercase letters, digits and "-"' })

const phase = keys({
  name: name().describe('Name of the phase.'),
  by: choice(PHASE_BY).default('agent').describe('Who does it: an agent, the gates alone (script), or a person.'),
  role: choice(ROLES).optional().describe('Role of its agent.'),
  driver: text().nullable().default(null).describe("Driver, if it differs from its role's."),
  model: text().nullable().default(null).describe("Model, if it differs from its role's."),
  prompt: name().nullable().default(null).describe('Template of its prompt; null for the one named like the phase.'),
  gates: z
    .union([z.literal('all'), z.array(text())], { error: 'all, or a list of gate names' })
    .optional()
    .describe('Gates that must pass before the next phase.'),
  back_to: name().nullable().optional().describe('Phase that findings send the work back to.'),
  rounds: whole(1, 200).nullable().default(null).describe('Maximum number of rounds.'),
})

const workflow = keys({
  session: choice(SESSION_SPANS)
    .default('phase')
    .describe('How long one session is used: for a prompt, a phase or the whole attempt.'),
  commit: choice(COMMIT_SPANS).default('phase').describe('What becomes one commit: an attempt, a phase or a round.'),
  rounds: whole(1, 200).default(20).describe('Maximum number of rounds per phase.'),
  phases: list(phase, 'phases').default([]).describe('Phases, in order.'),
}).superRefine(phasesFit)

/** Schema of the workflows: the phases of tasks of each weight. */
export const workflows = z.partialRecord(choice(WEIGHTS), workflow, {
  error: (issue) => (issue.code === 'invalid_key' ? `one of ${WEIGHTS.join(', ')}` : 'a map of weights'),
})

/** A phase as written in longhaul.yaml. */
export type WrittenPhase = z.infer<typeof phase>
export type WrittenWorkflow = z.infer<typeof workflow>
