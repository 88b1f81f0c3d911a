import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/** What a query of one column gives, asked without a prepared statement: those keep a closed file open until they are garbage. */
export function queryOnce(db: DatabaseSyncInstance, query: string): unknown[] {
  const values: unknown[] = []
  db.function('give', (value: unknown) => {
    values.push(value)
    return null
  })
  db.exec(`SELECT give(value) FROM (${query})`)
  return values
}
