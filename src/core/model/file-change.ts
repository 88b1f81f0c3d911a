/** Number of lines that a change adds to and removes from a file; null for a file that is not text. */
export interface FileChange {
  readonly path: string
  readonly added: number | null
  readonly removed: number | null
}
