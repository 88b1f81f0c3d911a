import { access, constants, statfs } from 'node:fs/promises'
import { diskProblem } from '../core/model/disk-problem.ts'
import { type Problem, problem } from '../core/model/problem.ts'

/** Turns the stderr of a failed git command into a problem. */
export function gitProblem(args: readonly string[], folder: string, stderr: string): Problem {
  const cause = stderr.trim()
  const disk = diskProblem(systemCodeIn(cause), folder, cause)
  if (disk !== null) return disk
  const lock = /Unable to create '(.+\.lock)': File exists/.exec(cause)?.[1]
  if (lock !== undefined) return locked(lock, cause)
  const reason = /^(?:fatal|error): (.*)$/m.exec(cause)?.[1] ?? cause.split('\n')[0] ?? ''
  const message = `git ${args[0]} failed in ${folder}: ${reason || 'git gave no reason'}.`
  return problem({
    code: 'git-failed',
    message,
    hint: /from promisor remote/.test(cause) ? PARTIAL : 'Fix what git complains about, then retry.',
    retry: 'later',
    cause,
  })
}

const PARTIAL =
  'The repository is a partial clone. Get what is missing: git config --unset remote.origin.partialCloneFilter && git fetch --refetch'

/** Returns a problem when git failed on a disk that is full or read-only, which its message does not always say; otherwise null. */
export async function gitDiskProblem(places: readonly (string | undefined)[], stderr: string): Promise<Problem | null> {
  const code = systemCodeIn(stderr)
  if (code === '' && !WRITE_FAILED.test(stderr)) return null
  const known = places.filter((place) => place !== undefined)
  for (const place of known) {
    const seen = (await isReadOnly(place)) ? 'EROFS' : (await isFull(place)) ? 'ENOSPC' : ''
    if (seen !== '') return diskProblem(seen, place, stderr.trim())
  }
  return diskProblem(code, known[0] ?? '.', stderr.trim())
}

/** Turns an error of the file system into a problem; throws other errors again. */
export function fileProblem(path: string, cause: unknown): Problem {
  const code = (cause as NodeJS.ErrnoException).code
  if (code === undefined || !(cause instanceof Error)) throw cause
  const disk = diskProblem(code, path, cause.message)
  if (disk !== null) return disk
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

/** Returns the system's name for the trouble with a disk that git names, or ''. */
function systemCodeIn(stderr: string): string {
  if (/No space left on device|Disk quota exceeded/.test(stderr)) return 'ENOSPC'
  return /Read-only file system/.test(stderr) ? 'EROFS' : ''
}

const WRITE_FAILED = /(unable to|couldn't|could not|failed to|cannot) (write|create|append)|write error/i
const ROOM_BYTES_MIN = 64 * 1024

async function isFull(path: string): Promise<boolean> {
  const disk = await statfs(path).catch(() => null) // deleted meanwhile
  return disk !== null && (disk.bavail * disk.bsize < ROOM_BYTES_MIN || (disk.files > 0 && disk.ffree === 0))
}

async function isReadOnly(path: string): Promise<boolean> {
  const failed = await access(path, constants.W_OK).catch((cause: NodeJS.ErrnoException) => cause.code)
  return failed === 'EROFS'
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
