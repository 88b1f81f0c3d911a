import { z } from 'zod'

/** What `longhaul show --json` prints of a task that an agent proposed. */
export const proposalSchema = z.strictObject({
  run: z.string().nullable(),
  id: z.string(),
  title: z.string(),
  state: z.literal('proposed'),
  /** The task and the attempt whose agent proposed it. */
  by: z.strictObject({ task: z.string(), attempt: z.string() }),
  at: z.iso.datetime(),
  brief: z.string(),
  acceptance: z.array(z.string()),
  verify: z.array(z.string()),
  after: z.array(z.string()),
})

/** What `longhaul show --knowledge --json` prints, the newest last. */
export const knowledgeSchema = z.strictObject({
  knowledge: z.array(z.strictObject({ text: z.string(), files: z.array(z.string()), task: z.string() })),
  /** The same as a page. */
  file: z.string(),
})
