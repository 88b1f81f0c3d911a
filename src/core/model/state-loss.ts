import { type Problem, problem } from './problem.ts'

/** Files of an open state, as they are at one moment. */
export interface StateFilesSeen {
  /** Database at its path; null when nothing is there. */
  readonly database: FileSeen | null
  /** Write-ahead log at its path; null when nothing is there. */
  readonly log: FileSeen | null
  /** Bytes of the log that hold facts. */
  readonly logNeeded: number
  /** Changes whenever SQLite itself moves facts from the log into the database. */
  readonly checkpoints: string
  /** True when the database still begins as ours does. */
  readonly isOurs: boolean
  /** Version of the schema. */
  readonly version: number
}

/** File at a path. */
export interface FileSeen {
  /** Device and inode. */
  readonly identity: string
  readonly size: number
  readonly writtenAt: string
}

/** Ways in which a state is lost while it is in use. */
export type StateLoss = 'gone' | 'replaced' | 'truncated' | 'overwritten' | 'newer'

/** Decides whether the files of a state are still those that were opened. */
export function stateLoss(before: StateFilesSeen, now: StateFilesSeen): StateLoss | null {
  if (now.database === null || now.log === null) return 'gone'
  if (now.database.identity !== before.database?.identity) return 'replaced'
  if (now.log.identity !== before.log?.identity) return 'replaced'
  if (now.database.size < before.database.size || now.log.size < now.logNeeded) return 'truncated'
  // Only a checkpoint writes to the database file.
  const isWritten = now.database.writtenAt !== before.database.writtenAt
  if (!now.isOurs || (isWritten && now.checkpoints === before.checkpoints)) return 'overwritten'
  return now.version > before.version ? 'newer' : null
}

/** Describes a lost state to the person who has to restore it. */
export function stateLost(loss: StateLoss, file: string): Problem {
  return problem({
    code: loss === 'newer' ? 'state-newer' : 'state-lost',
    message: `${file} ${WORDS[loss]} while the engine was working with it. The engine has stopped its agents and itself.`,
    hint:
      loss === 'newer'
        ? 'Install the newer Longhaul, then run "longhaul run".'
        : 'Put it back, then run "longhaul run".',
    retry: 'person',
  })
}

const WORDS: Readonly<Record<StateLoss, string>> = {
  gone: 'was moved away or deleted',
  replaced: 'was replaced by another file',
  truncated: 'was truncated',
  overwritten: 'was overwritten by another program',
  newer: 'was changed by a newer Longhaul',
}
