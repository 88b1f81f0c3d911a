import type { RequestId, RunId } from '../../../core/model/ids.ts'
import { blobSum, rowSum } from '../checksum.ts'
import { factDamaged } from '../trouble.ts'

/** Row of the table of runs. */
export interface StoredRun {
  readonly run: RunId
  readonly sum: number
  readonly body: string
}

/** Row of the table of requests. */
export interface StoredRequest {
  readonly id: RequestId
  readonly at: number
  readonly sum: number
  readonly body: string
  readonly answer_sum: number | null
  readonly answer: string | null
}

/** Row of the table of receipts. */
export interface ReceiptRow {
  readonly tree: string
  readonly command: string
  readonly environment: string
  readonly at: number
  readonly sum: number
  readonly body: string
}

/** Returns functions that return a row's content, or throw when it does not match its checksum. */
export function verified(file: string) {
  const orThrow = (isSound: boolean, what: string) => {
    if (!isSound) throw factDamaged(file, `${what} does not match its checksum`)
  }
  return {
    run<Row extends StoredRun>(row: Row): Row {
      orThrow(isRunSound(row), `the summary of run ${row.run}`)
      return row
    },
    request<Row extends StoredRequest>(row: Row): Row {
      orThrow(isRequestSound(row), `request ${row.id}`)
      return row
    },
    blob(digest: string, row: { readonly sum: number; readonly body: Uint8Array } | undefined): Uint8Array | null {
      if (row === undefined) return null
      orThrow(blobSum(digest, row.body) === row.sum, `text ${digest}`)
      return row.body
    },
  }
}

/** True when a run's summary is as it was written. */
export function isRunSound({ run, sum, body }: StoredRun): boolean {
  return rowSum(run, body) === sum
}

/** True when a request and its answer are as they were written. */
export function isRequestSound({ id, at, sum, body, answer_sum, answer }: StoredRequest): boolean {
  const isAnswerSound = answer === null ? answer_sum === null : rowSum(id, answer) === answer_sum
  return rowSum(id, at, body) === sum && isAnswerSound
}

/** True when a receipt is as it was written. */
export function isReceiptSound({ tree, command, environment, at, sum, body }: ReceiptRow): boolean {
  return rowSum(tree, command, environment, at, body) === sum
}
