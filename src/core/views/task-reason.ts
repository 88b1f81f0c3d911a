import { credentialOf } from '../limits/credential.ts'
import type { TaskId } from '../model/ids.ts'
import { allowanceFor } from '../run/allowance.ts'
import { needsPersonText } from '../run/run-condition.ts'
import type { RunState, TaskRecord } from '../run/state.ts'
import { type Graph, missingBefore } from '../schedule/graph.ts'
import { type FormatTime, oneLine } from './line-parts.ts'

/** Tells of tasks, one after another, why each is where it is. */
export function taskReasons(sources: ReasonSources): (record: TaskRecord) => string | null {
  const blockers = new Map<string, string>()
  return (record) => {
    const reason = reasonOf(sources, record, blockers)
    return reason === null ? null : oneLine(reason)
  }
}

export interface ReasonSources {
  readonly run: RunState
  /** Whether an engine drives the run now. */
  readonly isDriven: boolean
  readonly at: number
  readonly formatTime: FormatTime
}

const PAUSED = 'the run is paused; "longhaul resume" lets it go on'
const NEXT_RUN = 'with the next "longhaul run"'

function reasonOf(sources: ReasonSources, record: TaskRecord, blockers: Map<string, string>): string | null {
  const { run, isDriven, formatTime } = sources
  const { id } = record.task
  const live = record.live === null ? undefined : run.attempts.get(record.live)
  switch (record.standing) {
    case 'waiting':
      return `waits for ${listed(waitsFor(run.graph, id)) || 'the milestone before it to be summed up'}`
    case 'ready':
      return readyReason(sources, record)
    case 'running':
      if (run.pausedAt !== null) return `the run is paused${isDriven ? '; it finishes its round' : ''}`
      if (!isDriven) return `no engine is running; goes on ${NEXT_RUN}`
      return live?.standing === 'closing' ? 'its attempt is being closed' : (live?.reason ?? null)
    case 'landing':
      return landingReason(run, record)
    case 'parked': {
      if (live?.wait?.kind === 'pause') return run.pausedAt === null ? 'goes on when a slot is free' : PAUSED
      const until = live?.wait?.kind === 'limit' || live?.wait?.kind === 'retry' ? live.wait.until : null
      return until === null ? (live?.reason ?? null) : `parked until ${formatTime(until)}: ${live?.reason}`
    }
    case 'needs-person':
      return needsPersonText(run, id)
    case 'failed':
      return record.verdict?.reason ?? record.last?.reason ?? null
    case 'blocked':
      return `blocked by ${firstBlocker(run.graph, id, blockers)}, which failed`
    case 'skipped':
      return record.verdict?.reason ?? null
    case 'done':
      return null
  }
}

/** The usage limit of the sign-in that the task goes on with. */
function limitOn(run: RunState, { live }: TaskRecord): { readonly until: number } | undefined {
  const own = live === null ? undefined : run.attempts.get(live)?.credential
  return run.settings === null ? undefined : run.limits.get(own ?? credentialOf(run.settings.agent))
}

function readyReason({ run, isDriven, at, formatTime }: ReasonSources, record: TaskRecord): string | null {
  if (run.pausedAt !== null) return PAUSED
  if (run.lineHeld !== null) return `landing is held: ${run.lineHeld.reason}`
  const limit = limitOn(run, record)
  if (limit !== undefined) return `waits for the usage limit to end, ${formatTime(limit.until)}`
  if (record.live !== null) return 'its landing was refused; goes on when a slot is free'
  if (run.settings === null) return null
  const grant = allowanceFor(run, record, at)
  if (grant.kind !== 'granted') return grant.reason
  if (!isDriven) return `starts ${NEXT_RUN}`
  return record.last === null ? 'waits for a free slot' : `tried again: ${record.last.attempt} ${record.last.reason}`
}

function landingReason(run: RunState, { live }: TaskRecord): string | null {
  if (run.lineHeld !== null) return `landing is held: ${run.lineHeld.reason}`
  const place = run.landings.findIndex(({ subject }) => subject.kind === 'attempt' && subject.attempt === live)
  if (place > 0) return `number ${place + 1} in line to land`
  return run.landings[0]?.candidate === null ? 'is being merged' : 'is being checked on the merged tree'
}

/** What a task waits for, with a milestone's start told as the milestones before it. */
function waitsFor(graph: Graph, task: TaskId): readonly string[] {
  return missingBefore(graph, task).flatMap((name) => {
    const node = graph.nodes.get(name)
    if (node === undefined || node.task !== null) return [name]
    return [...node.after].filter((before) => graph.nodes.get(before)?.status !== 'satisfied')
  })
}

/** The failed task at the root, found once for each way that leads to it. */
function firstBlocker(graph: Graph, task: TaskId, known: Map<string, string>): string {
  const way: string[] = []
  let found: string | null = null
  for (let name: string | undefined = task; name !== undefined && found === null; ) {
    way.push(name)
    const ahead: readonly string[] = [...(graph.nodes.get(name)?.after ?? [])]
    const failed = ahead.find((before) => graph.nodes.get(before)?.status === 'failed')
    const next: string | undefined = failed ?? ahead.find((before) => isBlockedNode(graph, before))
    found = failed ?? (next === undefined ? null : (known.get(next) ?? null))
    name = next
  }
  for (const name of way) known.set(name, found ?? 'a task')
  return found ?? 'a task'
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
