import type { CheckDefinition } from './check-definition.ts'
import { followCommand } from './follow-command.ts'
import { occupiedAt, type Place } from './place.ts'
import type { ParseShell } from './shell-command.ts'
import type { Snapshot } from './snapshot.ts'
import { Trail } from './trail.ts'

/** Functions that following needs from outside. */
export interface FollowingTools {
  readonly parseShell: ParseShell
  readonly digest: (text: string) => string
}

/** Definition of a check, with all the places that it was looked for in. */
export interface FollowedCheck {
  readonly definition: CheckDefinition
  readonly places: readonly Place[]
}

/** Follows a check's command through a snapshot. Complete once the snapshot wants no further files. */
export function defineCheck(command: string, snapshot: Snapshot, tools: FollowingTools): FollowedCheck {
  const trail = new Trail(snapshot, (text, from, on) => followCommand(tools.parseShell(text), from, on))
  trail.follow(command, { folder: '', script: null, depth: 0, isInPackage: false })
  const parts = new Map(
    trail.places
      .flatMap((place) => occupiedAt(place, snapshot))
      .map(({ what, file, content, isText }) => [
        what,
        { what, file, digest: isText ? tools.digest(content) : content },
      ]),
  )
  const own = { what: 'its command', file: null, digest: tools.digest(command) }
  const all = [own, ...parts.values()]
  const digest = tools.digest(JSON.stringify(all.map((part) => [part.what, part.digest]).sort()))
  return { definition: { parts: all, runners: trail.runners, digest }, places: trail.places }
}
