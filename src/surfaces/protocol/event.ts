import { z } from 'zod'

/** What `longhaul log --json` prints on each line; besides these, the fields of its kind. */
export const eventSchema = z.looseObject({
  seq: z.int().min(1),
  at: z.iso.datetime(),
  ledger: z.string().regex(/^(run|attempt)\/./),
  kind: z.string(),
})
