import { statfs } from 'node:fs/promises'
import { type Problem, problem } from '../core/model/problem.ts'

/** Says what went wrong with a git command, from what git complained about. */
export function gitProblem(args: readonly string[], folder: string, complaint: string): Problem {
  const cause = complaint.trim()
  if (FULL.test(cause)) return diskFull(folder, cause)
  const lock = /Unable to create '(.+\.lock)': File exists/.exec(cause)?.[1]
  if (lock !== undefined) return locked(lock, cause)
  const reason = /^(?:fatal|error): (.*)$/m.exec(cause)?.[1] ?? cause.split('\n')[0] ?? ''
  const message = `git ${args[0]} failed in ${folder}: ${reason || 'it gave no reason'}.`
  return problem({ code: 'git-failed', message, hint: 'Look into what git says, then retry.', retry: 'later', cause })
}

/** A problem when git failed because there was no room for what it wrote; it does not always say so. */
export async function diskFullProblem(
  places: readonly (string | undefined)[],
  complaint: string,
): Promise<Problem | null> {
  const [folder = '.'] = places
  if (FULL.test(complaint)) return diskFull(folder, complaint.trim())
  if (!UNWRITTEN.test(complaint)) return null
  for (const place of places) if (place !== undefined && (await isFull(place))) return diskFull(place, complaint.trim())
  return null
}

/** Turns what the file system refused into a problem; a bug stays thrown. */
export function fileProblem(path: string, cause: unknown): Problem {
  const code = (cause as NodeJS.ErrnoException).code
  if (code === undefined || !(cause instanceof Error)) throw cause
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(path, cause.message)
  const message = `${path} could not be read or written: ${cause.message}.`
  const hint = 'See that the folder is there and may be written, then retry.'
  return problem({ code: 'state-unwritable', message, hint, retry: 'person', cause })
}

/** Does something with files; what the file system refuses is a problem. */
export async function withFiles(path: string, work: () => unknown): Promise<Problem | null> {
  try {
    await work()
    return null
  } catch (cause) {
    return fileProblem(path, cause)
  }
}

const FULL = /No space left on device|Disk quota exceeded/
const UNWRITTEN = /(unable to|couldn't|could not|failed to|cannot) (write|create|append)|write error/i
const ROOM_BYTES_MIN = 64 * 1024

async function isFull(path: string): Promise<boolean> {
  const disk = await statfs(path).catch(() => null) // gone meanwhile
  return disk !== null && (disk.bavail * disk.bsize < ROOM_BYTES_MIN || (disk.files > 0 && disk.ffree === 0))
}

function diskFull(where: string, cause: string): Problem {
  const hint = 'Make room, then run again; nothing that was saved is lost.'
  return problem({ code: 'disk-full', message: `The disk that holds ${where} is full.`, hint, retry: 'later', cause })
}

function locked(lock: string, cause: string): Problem {
  return problem({
    code: 'git-locked',
    message: `Git cannot work while ${lock} exists.`,
    hint: 'If no git command is running there, it was left behind by one that was killed: remove the file.',
    retry: 'later',
    cause,
  })
}
