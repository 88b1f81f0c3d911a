import type { Checker } from './checker.ts'

/** Never two engines work at the same time while locks work, and a run never goes back to an engine that lost it. */
export const oneEngine: Checker = ({ world }) => {
  const { trace, scenario } = world
  const faults: string[] = []
  let last: { readonly life: number; readonly to: number } | null = null
  if (!scenario.isLeaseBroken) {
    for (const [life, { from, to }] of [...trace.engines].sort(([, a], [, b]) => a.from - b.from)) {
      if (last !== null && from < last.to) faults.push(`engine ${life} worked while engine ${last.life} still did`)
      if (last === null || to > last.to) last = { life, to }
    }
  }
  return [...faults, ...comebacks(trace.appends)]
}

function comebacks(appends: Parameters<Checker>[0]['world']['trace']['appends']): readonly string[] {
  const replaced = new Set<number>()
  const faults: string[] = []
  let writer: number | null = null
  for (const { life, ledger } of appends) {
    if (!ledger.startsWith('run/') || life === writer) continue
    if (replaced.has(life)) faults.push(`engine ${life} appended to ${ledger} after engine ${writer} had taken it over`)
    if (writer !== null) replaced.add(writer)
    writer = life
  }
  return faults
}
