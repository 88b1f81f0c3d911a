import { statfs } from 'node:fs/promises'
import { type Problem, problem } from '../core/model/problem.ts'

/** Turns the stderr of a failed git command into a problem. */
export function gitProblem(args: readonly string[], folder: string, stderr: string): Problem {
  const cause = stderr.trim()
  if (FULL.test(cause)) return diskFull(folder, cause)
  const lock = /Unable to create '(.+\.lock)': File exists/.exec(cause)?.[1]
  if (lock !== undefined) return locked(lock, cause)
  const reason = /^(?:fatal|error): (.*)$/m.exec(cause)?.[1] ?? cause.split('\n')[0] ?? ''
  const message = `git ${args[0]} failed in ${folder}: ${reason || 'git gave no reason'}.`
  return problem({
    code: 'git-failed',
    message,
    hint: 'Fix what git complains about, then retry.',
    retry: 'later',
    cause,
  })
}

/** Returns a problem when git failed on a full disk, which its message does not always say; otherwise null. */
export async function diskFullProblem(
  places: readonly (string | undefined)[],
  stderr: string,
): Promise<Problem | null> {
  const [folder = '.'] = places
  if (FULL.test(stderr)) return diskFull(folder, stderr.trim())
  if (!WRITE_FAILED.test(stderr)) return null
  for (const place of places) if (place !== undefined && (await isFull(place))) return diskFull(place, stderr.trim())
  return null
}

/** Turns an error of the file system into a problem; throws other errors again. */
export function fileProblem(path: string, cause: unknown): Problem {
  const code = (cause as NodeJS.ErrnoException).code
  if (code === undefined || !(cause instanceof Error)) throw cause
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(path, cause.message)
  const message = `${path} could not be read or written: ${cause.message}.`
  const hint = 'Check that the folder exists and is writable, then retry.'
  return problem({ code: 'state-unwritable', message, hint, retry: 'person', cause })
}

/** Runs work on files and returns errors of the file system as a problem. */
export async function withFiles(path: string, work: () => unknown): Promise<Problem | null> {
  try {
    await work()
    return null
  } catch (cause) {
    return fileProblem(path, cause)
  }
}

const FULL = /No space left on device|Disk quota exceeded/
const WRITE_FAILED = /(unable to|couldn't|could not|failed to|cannot) (write|create|append)|write error/i
const ROOM_BYTES_MIN = 64 * 1024

async function isFull(path: string): Promise<boolean> {
  const disk = await statfs(path).catch(() => null) // deleted meanwhile
  return disk !== null && (disk.bavail * disk.bsize < ROOM_BYTES_MIN || (disk.files > 0 && disk.ffree === 0))
}

function diskFull(path: string, cause: string): Problem {
  const hint = 'Free some space, then run again; saved work is not lost.'
  return problem({ code: 'disk-full', message: `The disk that holds ${path} is full.`, hint, retry: 'later', cause })
}

function locked(lock: string, cause: string): Problem {
  return problem({
    code: 'git-locked',
    message: `Git cannot work while ${lock} exists.`,
    hint: 'If no git command is running there, a killed one left the file: delete it.',
    retry: 'later',
    cause,
  })
}
