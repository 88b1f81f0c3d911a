import { z } from 'zod'
import { dossierSchema } from './dossier.ts'
import { eventSchema } from './event.ts'
import {
  doctorSchema,
  exportSchema,
  gcSchema,
  importRunSchema,
  importSchema,
  labSchema,
  retrySchema,
  revertSchema,
  stopSchema,
} from './outcome.ts'
import { knowledgeSchema, proposalSchema } from './said-by-agents.ts'
import {
  configExplainSchema,
  configPromptsSchema,
  configSchemaSchema,
  configShowSchema,
  configValidateSchema,
  configWorkflowsSchema,
  initSchema,
} from './settings.ts'
import { statusSchema } from './status.ts'
import { answerSchema, pauseSchema, skipSchema, steerSchema } from './steering.ts'
import { diffSchema, milestoneSchema, promptSchema, storySchema } from './story.ts'
import { dryRunSchema, verifySchema } from './verify.ts'

/** What each verb prints with --json: one document, or one on each line where a verb goes on for longer. */
export const SHAPES = {
  demo: z.union([eventSchema, statusSchema]),
  init: initSchema,
  'config show': configShowSchema,
  'config validate': configValidateSchema,
  'config explain': configExplainSchema,
  'config prompts': configPromptsSchema,
  'config workflows': configWorkflowsSchema,
  'config schema': configSchemaSchema,
  import: z.union([importSchema, importRunSchema]),
  add: importSchema,
  run: z.union([eventSchema, statusSchema, dryRunSchema]),
  watch: z.union([eventSchema, statusSchema]),
  status: statusSchema,
  show: z.union([storySchema, dossierSchema, promptSchema, milestoneSchema, proposalSchema, knowledgeSchema]),
  diff: diffSchema,
  log: eventSchema,
  verify: verifySchema,
  pause: pauseSchema,
  resume: pauseSchema,
  skip: skipSchema,
  steer: steerSchema,
  approve: answerSchema,
  reject: answerSchema,
  answer: answerSchema,
  export: exportSchema,
  gc: gcSchema,
  stop: stopSchema,
  retry: retrySchema,
  revert: revertSchema,
  lab: labSchema,
  doctor: doctorSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>
