import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/** Runs a query of one column without a prepared statement, which would keep the file open until it is garbage-collected. */
export function queryOnce(db: DatabaseSyncInstance, query: string): unknown[] {
  const values: unknown[] = []
  db.function('give', (value: unknown) => {
    values.push(value)
    return null
  })
  db.exec(`SELECT give(value) FROM (${query})`)
  return values
}
