import { isProblem, type Problem } from '../../../core/model/problem.ts'

/** Result of one examination. */
export interface Diagnosis {
  readonly name: string
  /** Fine; worth knowing; needs attention; would make a run fail. */
  readonly state: 'ok' | 'note' | 'warn' | 'bad'
  readonly message: string
  /** Next step, or empty. */
  readonly hint: string
  /** Last lines that a failed command printed. */
  readonly output?: readonly string[]
  /** Safe fix that returns what was done; only applied while no engine is running. */
  readonly fix: Fix | null
}

/** A diagnosis with the fix that was applied. */
export interface Examined extends Diagnosis {
  readonly fixed: string | null
}

export type Fix = () => Promise<string | Problem>

/** Creates a diagnosis of something fine. */
export function ok(name: string, message: string): Diagnosis {
  return { name, state: 'ok', message, hint: '', fix: null }
}

/** Creates a diagnosis that is worth knowing. */
export function note(name: string, message: string, hint = ''): Diagnosis {
  return { name, state: 'note', message, hint, fix: null }
}

/** Creates a diagnosis that needs attention. */
export function warn(name: string, message: string, hint: string, fix: Fix | null = null): Diagnosis {
  return { name, state: 'warn', message, hint, fix }
}

/** Creates a diagnosis that would make a run fail. */
export function bad(name: string, { message, hint }: Pick<Problem, 'message' | 'hint'>): Diagnosis {
  return { name, state: 'bad', message, hint, fix: null }
}

/** Creates a diagnosis from a value: bad if it is a problem, else fine. */
export function okOrBad(name: string, value: string | Problem): Diagnosis {
  return isProblem(value) ? bad(name, value) : ok(name, value)
}

/** Diagnosis about which nothing was done. */
export function untouched(diagnosis: Diagnosis): Examined {
  return { ...diagnosis, fixed: null }
}

/** Fixes everything that has a fix, one after another. */
export async function fixAll(diagnoses: readonly Diagnosis[]): Promise<readonly Examined[]> {
  const all: Examined[] = []
  for (const one of diagnoses) all.push(one.fix === null ? untouched(one) : await fixOne(one, one.fix))
  return all
}

async function fixOne(diagnosis: Diagnosis, fix: Fix): Promise<Examined> {
  const fixed = await fix()
  if (isProblem(fixed)) return untouched({ ...diagnosis, state: 'bad', message: fixed.message, hint: fixed.hint })
  return { ...diagnosis, state: 'ok', hint: '', fixed }
}
