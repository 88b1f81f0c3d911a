import { z } from 'zod'
import { PROBLEMS, type ProblemCode } from '../../core/model/problem-codes.ts'

const codes = Object.values(PROBLEMS).flatMap((area) => Object.keys(area)) as ProblemCode[]
const problem = z.strictObject({ code: z.enum(codes), message: z.string(), hint: z.string() })

/** What any verb prints with --json when it is refused; `problem` is the first of `problems`. */
export const refusalSchema = z.strictObject({ problem, problems: z.array(problem).min(1) })

/** What `longhaul import --json` and `longhaul add --json` print. */
export const importSchema = z.strictObject({
  run: z.string().nullable(),
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
})

/** What `longhaul doctor --json` prints. */
export const doctorSchema = z.strictObject({
  checks: z.array(
    z.strictObject({
      name: z.string(),
      state: z.enum(['ok', 'warn', 'bad']),
      message: z.string(),
      hint: z.string(),
    }),
  ),
})
