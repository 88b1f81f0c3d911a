import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Commit, Tree } from '../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../core/model/problem.ts'
import type { Git } from './git.ts'
import { fileProblem } from './git-problem.ts'

/** Objects that a repository takes from a place it does not trust. */
export interface ObjectsOrder {
  /** Git that reads the objects and writes them as a pack. */
  readonly from: Git
  /** Git of the repository that gets them. */
  readonly to: Git
  /** Commits and trees that are taken, with everything they need. */
  readonly wanted: readonly (Commit | Tree)[]
  /** Commits that both have, with everything they need. */
  readonly known: readonly Commit[]
  /** Path for the pack, which is removed again. */
  readonly file: string
}

/**
 * Takes objects into a repository: they come as a stream, git computes their ids itself and refuses malformed ones, and
 * nothing that they need is missing afterwards.
 */
export async function takeObjects(order: ObjectsOrder): Promise<Problem | null> {
  const { wanted, known, file, to } = order
  const excluded = known.flatMap((commit) => [`^${commit}`, `^${commit}^{tree}`])
  const input = `${[...wanted, ...excluded].join('\n')}\n`
  rmSync(file, { force: true })
  try {
    const packed = await order.from.run(PACK, { input, outputFile: file, outputMax: PACK_BYTES_MAX })
    if (isProblem(packed)) return packed
    const count = await objectsIn(file)
    if (typeof count !== 'number') return count
    const stored = count === 0 ? '' : await to.run(count < LOOSE_MAX ? UNPACK : INDEX, { inputFile: file })
    if (isProblem(stored)) return stored
    const complete = await to.run(['rev-list', '--objects', '--quiet', '--stdin'], { input })
    return isProblem(complete) ? complete : null
  } finally {
    rmSync(file, { force: true })
  }
}

const PACK = ['pack-objects', '--quiet', '--revs', '--stdout', '--thin', '--delta-base-offset']
const UNPACK = ['unpack-objects', '-q', '--strict']
const INDEX = ['index-pack', '--stdin', '--strict', '--fix-thin']

// As many as git fetch stores one by one.
const LOOSE_MAX = 100
const PACK_BYTES_MAX = 8 * 1024 ** 3

/** Reads the number of objects from a pack's header. */
async function objectsIn(file: string): Promise<number | Problem> {
  try {
    const pack = await open(file)
    try {
      const { buffer, bytesRead } = await pack.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
      return bytesRead === HEADER_BYTES && buffer.toString('latin1', 0, 4) === 'PACK'
        ? buffer.readUInt32BE(8)
        : noPack()
    } finally {
      await pack.close()
    }
  } catch (cause) {
    return fileProblem(file, cause)
  }
}

const HEADER_BYTES = 12

function noPack(): Problem {
  const message = 'git pack-objects gave no pack.'
  return problem({ code: 'git-failed', message, hint: 'Nothing to do: it is tried again.', retry: 'later' })
}
