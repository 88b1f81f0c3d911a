import { nearestName } from '../reading/nearest-name.ts'
import type { BacklogFault, KnownIds } from './check-backlog.ts'

/** Describes a fault of a backlog; `ids` are the candidates for what was meant. */
export function backlogFaultText(
  fault: BacklogFault,
  ids: KnownIds,
): { readonly message: string; readonly hint: string } {
  const what = fault.at.list === 'tasks' ? 'task' : 'milestone'
  switch (fault.kind) {
    case 'invalid-id':
      return {
        message: `${quoted(fault.id)} cannot be the id of a ${what}: ${ID_RULE}.`,
        hint: `Write for example "${usableId(fault.id) || `${what}-${fault.at.index + 1}`}".`,
      }
    case 'duplicate':
      return { message: `two ${what}s have the id "${fault.id}".`, hint: 'Give one of them another id.' }
    case 'same-letters':
      return {
        message: `the ${what}s "${fault.other}" and "${fault.id}" ${CASE_RULE}.`,
        hint: 'Give one of them another id.',
      }
    case 'unknown':
      return unknownText(fault, what, ids)
    case 'itself':
      return { message: `${what} "${fault.id}" comes after itself.`, hint: `Remove "${fault.id}" from its "after".` }
    case 'cycle':
      return {
        message: `these wait for each other, so none can start: ${shownPath(fault.path)}.`,
        hint: cycleHint(fault.path),
      }
  }
}

const ID_RULE = 'an id is 1 to 64 letters, digits, ".", "_" or "-"'
const CASE_RULE = 'differ only in upper and lower case, which some file systems do not distinguish'

function unknownText(fault: Extract<BacklogFault, { kind: 'unknown' }>, what: string, ids: KnownIds) {
  const isHome = fault.at.path[0] === 'milestone'
  const relation = isHome ? 'belongs to' : 'comes after'
  const message = `${what} "${fault.id}" ${relation} ${quoted(fault.reference)}, but no ${fault.expected} has that id.`
  return { message, hint: unknownHint(fault, ids) }
}

function unknownHint({ expected, reference, at }: Extract<BacklogFault, { kind: 'unknown' }>, ids: KnownIds): string {
  if (expected === 'task' && ids.milestones.has(reference)) {
    return `"${reference}" is a milestone: name tasks in "after", or put this task into a later milestone.`
  }
  const nearest = nearestName(reference, expected === 'task' ? ids.tasks : ids.milestones)
  if (nearest !== null) return `Write "${nearest}" if that is meant.`
  return `Add that ${expected}, or remove ${quoted(reference)} from "${at.path[0]}".`
}

function cycleHint(path: readonly string[]): string {
  const isByMilestones = path.some((step) => step.startsWith('milestone '))
  return isByMilestones
    ? 'Milestones follow each other unless "after: []" says otherwise: move a task, or change an "after".'
    : 'Remove one of these from the "after" of the one before it.'
}

const STEPS_SHOWN_MAX = 12

function shownPath(path: readonly string[]): string {
  if (path.length <= STEPS_SHOWN_MAX) return path.join(' → ')
  const half = STEPS_SHOWN_MAX / 2
  return [...path.slice(0, half), `… ${path.length - STEPS_SHOWN_MAX} more …`, ...path.slice(-half)].join(' → ')
}

function usableId(id: string): string {
  return id
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 64)
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 70 ? `${text.slice(0, 70)}…` : text)
}
