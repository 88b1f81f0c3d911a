import { credentialOf } from '../limits/credential.ts'
import type { TaskId } from '../model/ids.ts'
import { allowanceFor } from '../run/allowance.ts'
import { blockerText } from '../run/first-blocker.ts'
import { needsPersonText } from '../run/run-condition.ts'
import type { RunState, TaskRecord } from '../run/state.ts'
import type { Graph } from '../schedule/graph.ts'
import { missingBefore } from '../schedule/graph-queries.ts'
import { type FormatTime, oneLine } from './line-parts.ts'

/** Returns a function that explains a task's state; its lookups are shared by all tasks. */
export function taskReasons(sources: ReasonSources): (record: TaskRecord) => string | null {
  const blockers = new Map<string, string>()
  return (record) => {
    const reason = reasonOf(sources, record, blockers)
    return reason === null ? null : oneLine(reason)
  }
}

export interface ReasonSources {
  readonly run: RunState
  /** True when an engine is driving the run. */
  readonly isDriven: boolean
  readonly at: number
  readonly formatTime: FormatTime
}

const PAUSED = 'the run is paused; continue with "longhaul resume"'
const NEXT_RUN = 'with the next "longhaul run"'

function reasonOf(sources: ReasonSources, record: TaskRecord, blockers: Map<string, string>): string | null {
  const { run, isDriven, formatTime } = sources
  const { id } = record.task
  const live = record.live === null ? undefined : run.attempts.get(record.live)
  switch (record.standing) {
    case 'waiting':
      return `waiting for ${listed(unmetDependencies(run.graph, id)) || 'the summary of the milestone before it'}`
    case 'ready':
      return readyReason(sources, record)
    case 'running':
      if (run.pausedAt !== null) return `the run is paused${isDriven ? '; its round finishes first' : ''}`
      if (!isDriven) return `no engine is running; continues ${NEXT_RUN}`
      return live?.standing === 'closing' ? 'its attempt is closing' : (live?.reason ?? null)
    case 'landing':
      return landingReason(run, record)
    case 'parked': {
      if (live?.wait?.kind === 'pause') return run.pausedAt === null ? 'continues when a slot is free' : PAUSED
      const until = live?.wait?.kind === 'limit' || live?.wait?.kind === 'retry' ? live.wait.until : null
      return until === null ? (live?.reason ?? null) : `parked until ${formatTime(until)}: ${live?.reason}`
    }
    case 'needs-person':
      return needsPersonText(run, id)
    case 'failed':
      return record.verdict?.reason ?? record.last?.reason ?? null
    case 'blocked':
      return blockedReason(run, id, blockers)
    case 'skipped':
    case 'reverted':
      return record.verdict?.reason ?? null
    case 'done':
      return revertReason(sources, record)
  }
}

/** Explains a revert that is pending or was refused; null when none was requested. */
function revertReason({ run, isDriven }: ReasonSources, { revert }: TaskRecord): string | null {
  if (revert === null) return null
  if (revert.kind === 'refused') return `was not reverted: ${revert.reason}`
  if (run.lineHeld !== null) return `revert pending; landing is on hold: ${run.lineHeld.reason}`
  return isDriven ? 'revert pending' : `revert pending; happens ${NEXT_RUN}`
}

function blockedReason(run: RunState, task: TaskId, known: Map<string, string>): string {
  const blocker = firstBlocker(run.graph, task, known)
  return `blocked by ${blocker}, which ${blockerText(run, blocker)}`
}

/** Returns the usage limit of the credential that the task runs with. */
function limitOn(run: RunState, { live }: TaskRecord): { readonly until: number } | undefined {
  const own = live === null ? undefined : run.attempts.get(live)?.credential
  return run.settings === null ? undefined : run.limits.get(own ?? credentialOf(run.settings.agent))
}

function readyReason({ run, isDriven, at, formatTime }: ReasonSources, record: TaskRecord): string | null {
  if (run.pausedAt !== null) return PAUSED
  if (run.lineHeld !== null) return `landing is on hold: ${run.lineHeld.reason}`
  const limit = limitOn(run, record)
  if (limit !== undefined) return `waiting for the usage limit to reset at ${formatTime(limit.until)}`
  if (record.live !== null) return 'landing was refused; continues when a slot is free'
  if (run.settings === null) return null
  const grant = allowanceFor(run, record, at)
  if (grant.kind !== 'granted') return grant.reason
  if (!isDriven) return `starts ${NEXT_RUN}`
  return record.last === null ? 'waiting for a free slot' : `retry after ${record.last.attempt}: ${record.last.reason}`
}

function landingReason(run: RunState, { live }: TaskRecord): string | null {
  if (run.lineHeld !== null) return `landing is on hold: ${run.lineHeld.reason}`
  const index = run.landings.findIndex(({ subject }) => subject.kind === 'attempt' && subject.attempt === live)
  if (index > 0) return `number ${index + 1} in the landing queue`
  return run.landings[0]?.candidate === null ? 'merging' : 'running checks on the merged tree'
}

/** Lists what a task waits for; the start of a milestone is listed as the milestones before it. */
function unmetDependencies(graph: Graph, task: TaskId): readonly string[] {
  return missingBefore(graph, task).flatMap((name) => {
    const node = graph.nodes.get(name)
    if (node === undefined || node.task !== null) return [name]
    return [...node.after].filter((before) => graph.nodes.get(before)?.status !== 'satisfied')
  })
}

/** Returns the failed task that blocks this one; `known` remembers the answer for every task on the path to it. */
function firstBlocker(graph: Graph, task: TaskId, known: Map<string, string>): string {
  const path: string[] = []
  let blocker: string | null = null
  for (let name: string | undefined = task; name !== undefined && blocker === null; ) {
    path.push(name)
    const dependencies: readonly string[] = [...(graph.nodes.get(name)?.after ?? [])]
    const failed = dependencies.find((before) => graph.nodes.get(before)?.status === 'failed')
    const next: string | undefined = failed ?? dependencies.find((before) => isBlockedNode(graph, before))
    blocker = failed ?? (next === undefined ? null : (known.get(next) ?? null))
    name = next
  }
  for (const name of path) known.set(name, blocker ?? 'a task')
  return blocker ?? 'a task'
}

function isBlockedNode(graph: Graph, name: string): boolean {
  const node = graph.nodes.get(name)
  return node !== undefined && node.status === 'open' && node.hopeless > 0
}

function listed(names: readonly string[]): string {
  return names.length <= NAMES_MAX
    ? names.join(', ')
    : `${names.slice(0, NAMES_MAX).join(', ')} and ${names.length - NAMES_MAX} more`
}

const NAMES_MAX = 5
