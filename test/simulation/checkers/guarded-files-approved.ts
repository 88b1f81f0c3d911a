import { GUARDED_FILE } from '../world/scenario.ts'
import type { Checker } from './checker.ts'

/** Work that changes a file of the user lands only after approval, unless its task may change it. */
export const guardedFilesApproved: Checker = ({ world }) => {
  const { repository, scenario } = world
  const free = scenario.backlog.tasks.filter(({ mayChange }) => mayChange.includes(GUARDED_FILE)).map(({ id }) => id)
  const tip = world.line()
  return (tip === null ? [] : repository.firstParents(tip)).flatMap((commit) => {
    const message = repository.messageOf(commit)
    const [before] = repository.parentsOf(commit)
    if (before === undefined || !message.includes('Attempt: ')) return []
    const guide = (at: typeof commit) => repository.filesOf(at).get(GUARDED_FILE)
    const isAllowed = message.includes(`Approved: ${GUARDED_FILE}`) || free.some((id) => message.startsWith(`${id}: `))
    return guide(before) === guide(commit) || isAllowed ? [] : [`${commit} changes ${GUARDED_FILE} without approval`]
  })
}
