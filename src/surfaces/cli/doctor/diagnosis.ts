import { isProblem, type Problem } from '../../../core/model/problem.ts'

/** What was found out about one thing. */
export interface Diagnosis {
  readonly name: string
  /** fine; worth knowing; should be looked at; keeps a run from going well */
  readonly state: 'ok' | 'note' | 'warn' | 'bad'
  readonly message: string
  /** What to do; empty: nothing. */
  readonly hint: string
  /** Mends it safely, and says what was done. Done only while no engine is running. */
  readonly fix: Fix | null
}

/** A finding, and what was done about it. */
export interface Examined extends Diagnosis {
  readonly fixed: string | null
}

export type Fix = () => Promise<string | Problem>

/** Something that is fine. */
export function ok(name: string, message: string): Diagnosis {
  return { name, state: 'ok', message, hint: '', fix: null }
}

/** Something worth knowing. */
export function note(name: string, message: string, hint = ''): Diagnosis {
  return { name, state: 'note', message, hint, fix: null }
}

/** Something that should be looked at. */
export function warn(name: string, message: string, hint: string, fix: Fix | null = null): Diagnosis {
  return { name, state: 'warn', message, hint, fix }
}

/** Something that keeps a run from going well. */
export function bad(name: string, { message, hint }: Pick<Problem, 'message' | 'hint'>): Diagnosis {
  return { name, state: 'bad', message, hint, fix: null }
}

/** Fine, or what is wrong. */
export function found(name: string, value: string | Problem): Diagnosis {
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
