import type { CheckDefinition } from './check-definition.ts'
import { defineCheck, type FollowingTools } from './define-check.ts'
import { type Occupied, occupiedAt, type Place } from './place.ts'
import type { Snapshot } from './snapshot.ts'

/** Definition of a check on the base and with the work, and the changes that weaken it. */
export interface ComparedDefinition {
  readonly before: CheckDefinition
  readonly after: CheckDefinition
  readonly changes: readonly DefinitionChange[]
}

/** Change of what a check is made of, in words. */
export interface DefinitionChange {
  readonly kind: 'changed' | 'new'
  readonly file: string
  readonly what: string
}

/**
 * Compares what a command is made of in two snapshots. Complete once neither snapshot wants further files: read those,
 * let the snapshots learn them, and compare again.
 */
export function compareDefinitions(
  command: string,
  { before, after }: { readonly before: Snapshot; readonly after: Snapshot },
  tools: FollowingTools,
): ComparedDefinition {
  const base = defineCheck(command, before, tools)
  const work = defineCheck(command, after, tools)
  const changes = base.places.flatMap((place) => changesAt(place, before, after))
  return { before: base.definition, after: work.definition, changes: distinct(changes) }
}

/** Compares a place, reached from the base, in both snapshots. */
function changesAt(place: Place, before: Snapshot, after: Snapshot): readonly DefinitionChange[] {
  const [was, is] = [occupiedAt(place, before), occupiedAt(place, after)]
  if (place.kind === 'first') return changedChoice(place, was[0], is[0])
  const parts = new Map(is.map((part) => [part.what, part]))
  const lost = was.flatMap((part): readonly DefinitionChange[] => {
    const now = parts.get(part.what)
    parts.delete(part.what)
    const isKept = now?.content === part.content || (place.mayGrow === true && hasAllLines(now, part))
    return isKept ? [] : [{ kind: 'changed', file: part.file, what: changeText(part, now) }]
  })
  if (place.ifNew === 'free') return lost
  return [...lost, ...[...parts.values()].map((part) => newPart(part, place))]
}

function newPart(part: Occupied, { reader }: Place): DefinitionChange {
  return { kind: 'new', file: part.file, what: newText(part, reader) }
}

/** Compares which file is used; its content is a place of its own. */
function changedChoice(place: Place, was: Occupied | undefined, is: Occupied | undefined): readonly DefinitionChange[] {
  if (is === undefined || was?.file === is.file) return []
  if (was !== undefined) return [{ kind: 'changed', file: is.file, what: `${is.what} is used instead of ${was.what}` }]
  return place.ifNew === 'free' ? [] : [newPart(is, place)]
}

/** True when a text contains the lines of another in their order. */
function hasAllLines(now: Occupied | undefined, was: Occupied): boolean {
  const lines = was.content.split('\n').filter((line) => line.trim() !== '')
  let at = 0
  for (const line of now?.content.split('\n') ?? []) if (line === lines[at]) at += 1
  return now !== undefined && at === lines.length
}

function changeText(was: Occupied, is: Occupied | undefined): string {
  const isShown = was.isText && isShort(was.content) && (is === undefined || isShort(is.content))
  const old = isShown ? ` was "${was.content}" and` : ''
  if (is === undefined) return `${was.what}${old} is gone`
  return isShown ? `${was.what}${old} is "${is.content}"` : was.what
}

function newText({ what, content, isText }: Occupied, reader: string): string {
  const shown = isText && isShort(content) ? ` ("${content}")` : ''
  return `${reader} now reads ${what}${shown}, which is new`
}

function isShort(text: string): boolean {
  return text.length <= TEXT_MAX && !text.includes('\n')
}

function distinct(changes: readonly DefinitionChange[]): readonly DefinitionChange[] {
  return [...new Map(changes.map((change) => [change.what, change])).values()]
}

const TEXT_MAX = 100
