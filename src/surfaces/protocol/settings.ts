import { z } from 'zod'

/** Where a setting comes from: a default, a preset, a place in a file, a variable or a flag. */
const source = z.looseObject({ kind: z.string() })

/** What `longhaul config show --json` prints. */
export const configShowSchema = z.strictObject({
  settings: z.array(z.strictObject({ key: z.string(), value: z.unknown(), source })),
})

/** What `longhaul config validate --json` prints when nothing is wrong; else a refusal. */
export const configValidateSchema = z.strictObject({
  file: z.string(),
  valid: z.literal(true),
  remarks: z.array(z.string()),
})

/** What `longhaul config explain --json` prints. */
export const configExplainSchema = z.strictObject({
  keys: z.array(
    z.strictObject({
      key: z.string(),
      about: z.string(),
      expected: z.string(),
      default: z.unknown(),
      example: z.unknown(),
      usedBy: z.string().nullable(),
      isNeeded: z.boolean(),
      flag: z.string().nullable(),
      variable: z.string().nullable(),
    }),
  ),
})

/** What `longhaul config workflows --json` prints. */
export const configWorkflowsSchema = z.strictObject({
  workflows: z.array(
    z.strictObject({
      weight: z.string(),
      session: z.string(),
      commit: z.string(),
      rounds: z.int(),
      phases: z.array(
        z.strictObject({
          name: z.string(),
          by: z.enum(['agent', 'script', 'person']),
          role: z.string(),
          driver: z.string().nullable(),
          model: z.string().nullable(),
          access: z.string().nullable(),
          prompt: z.string().nullable(),
          gates: z.array(z.string()),
          backTo: z.string().nullable(),
          rounds: z.int().nullable(),
        }),
      ),
    }),
  ),
})

/** What `longhaul config prompts --json` prints. */
export const configPromptsSchema = z.strictObject({
  prompts: z.array(
    z.strictObject({
      name: z.string(),
      /** null: it is as it ships. */
      file: z.string().nullable(),
      text: z.string(),
    }),
  ),
  variables: z.array(z.string()),
})

/** What `longhaul config schema --json` prints: the JSON Schema, or with --write where it was put. */
export const configSchemaSchema = z.union([
  z.strictObject({ file: z.string(), modeline: z.string() }),
  z.looseObject({ $schema: z.string() }),
])

/** What `longhaul init --json` prints: what was found, and the settings that were written because of it. */
export const initSchema = z.strictObject({
  file: z.string(),
  written: z.boolean(),
  preset: z.string().nullable(),
  driver: z.string(),
  stacks: z.array(z.strictObject({ name: z.string(), folder: z.string() })),
  gates: z.array(z.strictObject({ name: z.string(), run: z.string() })),
  setup: z.array(z.string()),
  text: z.string(),
})
