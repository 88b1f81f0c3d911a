import { type BenchResult, median, percentile } from './result.ts'
import { commandKey, type GitTimes, type Instant, type SeenProcess } from './watch-processes.ts'

/** Time between two moments, split into git's own and the rest. */
export interface Stretch {
  readonly gitMs: number
  readonly commands: number
  readonly beyondMs: number
  /** `beyondMs` without the time spent waiting for a processor. */
  readonly undelayedMs: number
}

/** Measurements of an engine and of a bare loop. */
interface Compared {
  readonly name: string
  readonly ours: readonly Stretch[]
  readonly bare: readonly Stretch[]
  /** Noun for the stretches in the note. */
  readonly what: string
  readonly bound: number
}

/** Compares our time beyond git with a bare loop's. */
export function comparedBeyondGit({ name, ours, bare, what, bound }: Compared): BenchResult {
  const [value, baseline] = [p99(ours, 'beyondMs'), p99(bare, 'beyondMs')]
  const typical = `p50 ${p50(ours, 'beyondMs')} against ${p50(bare, 'beyondMs')}`
  const undelayed = `on a processor of its own ${p50(ours, 'undelayedMs')}, p99 ${p99(ours, 'undelayedMs').toFixed(1)}`
  const git = [ours, bare].map((all) => `${p50(all, 'gitMs')} in ${p50(all, 'commands')} commands`)
  return {
    name,
    value,
    baseline,
    ratio: value / baseline,
    bound: `≤ ${bound} ms at p99`,
    ok: value <= bound,
    note: `ms, p99 of ${ours.length} ${what}; ${typical}; ${undelayed}; git ${git.join(' against ')}`,
  }
}

/** Splits a stretch of time in which these git commands ran, in the order of their starts. */
export function stretchBetween(from: Instant, to: Instant, commands: readonly SeenProcess[], times: GitTimes): Stretch {
  const git = commands.map(({ made, command }) => {
    const later = (times.get(commandKey(command)) ?? []).filter((time) => time.from > made.at)
    return { from: made.at, to: Math.min(...later.map((time) => time.to)) }
  })
  const marks = [from, ...commands.map(({ made }) => made), to]
  const stretches = marks.slice(1).map((end, index) => {
    const begin = marks[index] ?? from
    const ms = end.at - begin.at
    const gitMs = coveredMs(git, begin.at, end.at)
    return {
      gitMs,
      beyondMs: ms - gitMs,
      delayedMs: ms === 0 ? 0 : ((ms - gitMs) / ms) * (end.delayed - begin.delayed),
    }
  })
  const sum = (what: keyof (typeof stretches)[number]) => stretches.reduce((all, stretch) => all + stretch[what], 0)
  const beyondMs = sum('beyondMs')
  return { gitMs: sum('gitMs'), commands: commands.length, beyondMs, undelayedMs: beyondMs - sum('delayedMs') }
}

/** Sums the part of a stretch covered by at least one span; spans are in the order of their starts. */
function coveredMs(spans: readonly { readonly from: number; readonly to: number }[], from: number, to: number): number {
  let [covered, until] = [0, from]
  for (const span of spans) {
    const [begin, end] = [Math.max(span.from, until), Math.min(span.to, to)]
    if (end <= begin) continue
    covered += end - begin
    until = end
  }
  return covered
}

function p99(stretches: readonly Stretch[], what: keyof Stretch): number {
  return percentile(
    stretches.map((stretch) => stretch[what]),
    0.99,
  )
}

function p50(stretches: readonly Stretch[], what: keyof Stretch): string {
  return String(Number(median(stretches.map((stretch) => stretch[what])).toFixed(1)))
}
