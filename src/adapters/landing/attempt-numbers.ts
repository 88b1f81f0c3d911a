import { unwrap } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { ATTEMPT_REF_PREFIXES, plainName } from '../../git/names.ts'
import { readRefs } from '../../git/refs.ts'

/** Returns the highest attempt number of each task that has refs in the repository. */
export async function attemptNumbers(git: Git): Promise<ReadonlyMap<string, number>> {
  const attemptRefs = unwrap(await readRefs(git, ATTEMPT_REF_PREFIXES))
  const highest = new Map<string, number>()
  for (const ref of attemptRefs.keys()) {
    const [, task, digits] = ATTEMPT.exec(nameIn(ref)) ?? []
    if (task !== undefined) highest.set(task, Math.max(highest.get(task) ?? 0, Number(digits)))
  }
  return highest
}

const ATTEMPT = /^(.+)-a([1-9]\d{0,8})$/s

function nameIn(ref: string): string {
  const prefix = ATTEMPT_REF_PREFIXES.find((start) => ref.startsWith(start)) ?? ''
  const [name = ''] = ref.slice(prefix.length).split('++', 1)
  return plainName(name)
}
