import { z } from 'zod'

/** Source of a setting: a default, a preset, a line of a file, a variable or a flag. */
const source = z.looseObject({ kind: z.string() })

/** JSON output of `longhaul config show --json`. */
export const configShowSchema = z.strictObject({
  settings: z.array(z.strictObject({ key: z.string(), value: z.unknown(), source })),
})

/** JSON output of `longhaul config validate --json` for valid settings; otherwise it prints a refusal. */
export const configValidateSchema = z.strictObject({
  file: z.string(),
  valid: z.literal(true),
  remarks: z.array(z.string()),
})

/** JSON output of `longhaul config explain --json`. */
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
  /** Definitions of the gates; only for the key "gates". */
  guarded: z.array(
    z.strictObject({
      gate: z.string(),
      command: z.string(),
      parts: z.array(z.strictObject({ what: z.string(), file: z.string() })),
      runners: z.array(z.strictObject({ kind: z.string(), folder: z.string(), files: z.array(z.string()) })),
    }),
  ),
})

/** JSON output of `longhaul config workflows --json`. */
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

/** JSON output of `longhaul config prompts --json`. */
export const configPromptsSchema = z.strictObject({
  prompts: z.array(
    z.strictObject({
      name: z.string(),
      /** Null for a built-in prompt. */
      file: z.string().nullable(),
      text: z.string(),
    }),
  ),
  variables: z.array(z.string()),
})

/** JSON output of `longhaul config schema --json`: the JSON Schema, or with --write its location. */
export const configSchemaSchema = z.union([
  z.strictObject({ file: z.string(), modeline: z.string() }),
  z.looseObject({ $schema: z.string() }),
])

/** JSON output of `longhaul init --json`: what was detected, and the resulting settings. */
export const initSchema = z.strictObject({
  file: z.string(),
  written: z.boolean(),
  preset: z.string().nullable(),
  driver: z.string(),
  stacks: z.array(z.strictObject({ name: z.string(), folder: z.string() })),
  gates: z.array(z.strictObject({ name: z.string(), run: z.string() })),
  setup: z.array(z.string()),
  unignored: z.array(z.string()),
  text: z.string(),
})
