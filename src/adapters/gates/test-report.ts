import { randomUUID } from 'node:crypto'
import { lstat, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readPlainFile } from '../../files/read-plain-file.ts'

/** Environment variable that holds the path for a check's test report. */
export const TEST_REPORT = 'LONGHAUL_TEST_REPORT'

/** Place for the test report of one run of a check. */
export interface TestReport {
  readonly path: string
  /** Returns the report, or null when the check wrote none that can be read. */
  read(): Promise<string | null>
  remove(): Promise<void>
}

/** Prepares a path that no earlier run knew, below a folder outside the checked tree. */
export async function openTestReport(parent: string): Promise<TestReport> {
  const folder = join(parent, `report-${randomUUID()}`)
  const path = join(folder, 'tests')
  // Without a folder, on a full disk for example, the check only has no report.
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => {})
  const before = await lstat(folder).catch(() => null)
  return {
    path,
    async read() {
      const now = await lstat(folder).catch(() => null)
      // The check may have put a link in the folder's place.
      return now?.isDirectory() && now.ino === before?.ino ? readPlainFile(path, REPORT_BYTES_MAX) : null
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

const REPORT_BYTES_MAX = 64 * 1024 * 1024
