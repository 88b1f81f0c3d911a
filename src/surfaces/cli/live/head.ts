import { durationText } from '../../../core/limits/duration-text.ts'
import { STANDINGS } from '../../../core/run/state.ts'
import { counted } from '../../../core/views/line-parts.ts'
import type { LiveModel } from '../../../core/views/live/live-model.ts'
import type { RunStanding } from '../../../core/views/status.ts'
import type { Size } from '../terminal.ts'
import { estimateText, shortNumber } from './figures.ts'
import { cutLine, type ScreenLine, span, spread, type TextSpan, type Tone } from './spans.ts'
import { LOOKS } from './task-rows.ts'

/** Renders the lines above the list: the run as a whole, as many as fit. */
export function headLines(model: LiveModel, { columns, rows }: Size): readonly ScreenLine[] {
  const warnings = warningLines(model).slice(0, rows < SMALL_ROWS ? 1 : WARNINGS_MAX)
  const lines =
    rows < SMALL_ROWS
      ? [smallLine(model, columns), ...warnings]
      : [titleLine(model, columns), progressLine(model, columns), countsLine(model), spentLine(model), ...warnings]
  return lines.map((line) => cutLine(line, columns))
}

/** Rows below which the head is one line. */
export const SMALL_ROWS = 16
const WARNINGS_MAX = 3

const STATE_TONES: Readonly<Record<RunStanding, Tone>> = {
  open: 'dim',
  running: 'live',
  paused: 'warn',
  parked: 'warn',
  waiting: 'warn',
  ended: 'good',
}

function titleLine({ run, elapsedMs }: LiveModel, columns: number): ScreenLine {
  const took = elapsedMs === null ? '' : `  ${durationText(elapsedMs)}`
  const start = [span('longhaul', 'strong'), span(`  ${run.id} → ${run.target}`, 'dim')]
  return spread(start, [span(run.state, STATE_TONES[run.state]), span(took)], columns)
}

function progressLine(model: LiveModel, columns: number): ScreenLine {
  const { counts, total, estimate } = model
  const bar = Math.max(10, Math.min(40, Math.floor(columns / 3)))
  const full = total === 0 ? 0 : Math.floor((counts.done / total) * bar)
  const why = estimate.kind === 'none' || columns < WIDE ? '' : `  (${estimate.why})`
  return [
    span('━'.repeat(full), 'good'),
    span('━'.repeat(bar - full), 'dim'),
    span(`  ${counts.done} of ${total} done`, 'strong'),
    span(prefixed('  ', estimateText(estimate))),
    span(why, 'dim'),
  ]
}

const WIDE = 120

/** Counts tasks by state, except done ones, which are shown beside the bar. */
function countsLine({ counts }: LiveModel): ScreenLine {
  const others = STANDINGS.filter((standing) => standing !== 'done' && counts[standing] > 0)
  const spans = others.flatMap((standing): readonly TextSpan[] => {
    const { name, mark, tone } = LOOKS[standing]
    return [span('   '), span(`${mark} `, tone), span(`${counts[standing]} ${name}`)]
  })
  return spans.slice(1)
}

function spentLine({ spent, budgetUsd }: LiveModel): ScreenLine {
  const { input, cacheRead, cacheWrite, output } = spent.tokens
  const all = input + cacheRead + cacheWrite
  const cached = all === 0 ? '' : ` (${Math.round((cacheRead / all) * 100)}% cached)`
  const limit = budgetUsd === null ? '' : ` of ${budgetUsd}`
  const tokens = `${shortNumber(all)} tokens in${cached}, ${shortNumber(output)} out`
  return [span(`${spent.usd.toFixed(2)}${limit} USD · ${counted(spent.turns, 'turn')} · ${tokens}`, 'dim')]
}

function smallLine({ run, counts, total, estimate }: LiveModel, columns: number): ScreenLine {
  const start = [
    span(run.state, STATE_TONES[run.state]),
    span(`  ${counts.done}/${total} done`, 'strong'),
    span(`  ${counts.running} running`),
  ]
  return spread(start, [span(estimate.kind === 'range' ? estimateText(estimate) : '', 'dim')], columns)
}

function warningLines({ run, isDriven, limits, held }: LiveModel): readonly ScreenLine[] {
  const limited = limits.map(({ what, leftMs, isEstimated }) => {
    const about = isEstimated ? 'about ' : ''
    return [span(`Usage limit of ${what}: ${about}${durationText(leftMs)} left`, 'warn')]
  })
  const idle =
    isDriven || run.state === 'ended' ? [] : [[span('No engine is running. To continue: longhaul run', 'warn')]]
  return [...idle, ...limited, ...held.map((text) => [span(text, 'warn')])]
}

function prefixed(prefix: string, text: string): string {
  return text === '' ? '' : prefix + text
}
