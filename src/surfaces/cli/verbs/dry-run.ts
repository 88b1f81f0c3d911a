import type { Settings } from '../../../core/model/settings.ts'
import { type PreviewedAttempt, previewStart } from '../../../core/run/preview-start.ts'
import type { RunState } from '../../../core/run/state.ts'
import { taskReasons } from '../../../core/views/task-reason.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { hanging, left } from '../render/columns.ts'
import { timeFormatter } from '../render/times.ts'
import type { VerbContext } from '../verb.ts'

/** Prints what an engine would start now and why, and why the rest waits. Records and starts nothing. */
export function dryRun({ world, output }: VerbContext, state: RunState, settings: Settings): ExitCode {
  const at = world.clock.now()
  const { isBaselineFirst, goesOn, starts } = previewStart(state, settings, at)
  const waits = waitingTasks(state, at, new Set([...goesOn, ...starts].map(({ task }) => task)))
  output.json({ run: state.id, isPaused: state.pausedAt !== null, isBaselineFirst, goesOn, starts, waits })
  if (state.pausedAt !== null) output.line('The run is paused: nothing starts until "longhaul resume".')
  if (isBaselineFirst) output.line(`The checks would first run on ${state.target}, before any work.`)
  for (const line of beginnings('Would continue:', goesOn, output)) output.line(line)
  for (const line of beginnings('Would start:', starts, output)) output.line(line)
  if (goesOn.length + starts.length === 0) output.line('Nothing would start.')
  if (waits.length > 0) output.line('Would wait:')
  for (const { task, reason } of waits.slice(0, SHOWN_MAX)) {
    for (const line of row(task, reason ?? '', output)) output.line(line)
  }
  if (waits.length > SHOWN_MAX) output.line(`  … and ${waits.length - SHOWN_MAX} more: longhaul run --dry-run --json`)
  return EXIT.done
}

const SHOWN_MAX = 50
const NAME_WIDTH = 14
const OVER: ReadonlySet<string> = new Set(['done', 'skipped', 'reverted'])

function waitingTasks(run: RunState, at: number, begun: ReadonlySet<string>) {
  const reasonOf = taskReasons({ run, at, isDriven: true, formatTime: timeFormatter(at) })
  return [...run.tasks.values()].flatMap((record) => {
    const { task, standing } = record
    if (begun.has(task.id) || OVER.has(standing)) return []
    return [{ task: task.id, state: standing, reason: reasonOf(record) }]
  })
}

function beginnings(title: string, list: readonly PreviewedAttempt[], output: Output): readonly string[] {
  if (list.length === 0) return []
  return [title, ...list.flatMap(({ attempt, reason }) => row(attempt, reason, output))]
}

function row(name: string, reason: string, { width }: Output): readonly string[] {
  return hanging(`  ${left(name, NAME_WIDTH)}  `, reason, width)
}
