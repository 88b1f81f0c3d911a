import { type Level, type PlayedLevel, type ProbedPurpose, PURPOSES, type Tried } from './play-level.ts'

/** Outcomes of the probe by level. */
export type Matrix = Map<Level, PlayedLevel>

// Only a filter of system calls would stop these; the guide says so.
const KNOWN = ['reach the hypervisor (vsock)', 'keys of the session in the kernel']

/** Lists whatever got out where nothing may, and programs that were not probed. */
export function faultsOf(matrix: Matrix): readonly string[] {
  return [...matrix].flatMap(([level, { tried, traces, output }]) => {
    const missing = [...tried].flatMap(([purpose, all]) =>
      all.length === 0 ? [`${level}: ${purpose} was not probed:\n${output}`] : [],
    )
    if (level === 'trusted') return missing
    const escapes = [...tried].flatMap(([purpose, all]) =>
      all.flatMap(({ what, outcome, detail }) =>
        outcome === 'ESCAPED' && !KNOWN.includes(what) ? [`${level}, ${purpose}: ${what}: ${detail}`] : [],
      ),
    )
    return [...missing, ...escapes, ...traces.map((trace) => `${level}: ${trace}`)]
  })
}

/** Renders a line for each thing that was tried, and a column for each level. */
export function tableOf(matrix: Matrix): string {
  const levels = [...matrix.keys()]
  const whats = new Set([...matrix.values()].flatMap(({ tried }) => [...tried.values()].flat().map(({ what }) => what)))
  const rows = [...whats].map((what) => [what, ...levels.map((level) => cell(matrix.get(level), what))])
  return [['tried', ...levels], levels.map(() => '---').concat('---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** Names the outcome, or the outcomes by program when they differ. */
function cell(played: PlayedLevel | undefined, what: string): string {
  const outcomeOf = (purpose: ProbedPurpose) => played?.tried.get(purpose)?.find((one) => one.what === what)?.outcome
  const outcomes = PURPOSES.map((purpose) => [purpose, textOf(outcomeOf(purpose))] as const)
  const different = [...new Set(outcomes.map(([, outcome]) => outcome))]
  if (different.length === 1) return different.join('')
  return outcomes.map(([purpose, outcome]) => `${purpose}: ${outcome}`).join(', ')
}

function textOf(outcome: Tried['outcome'] | undefined): string {
  return outcome === undefined ? '-' : outcome === 'ESCAPED' ? '**possible**' : outcome
}
