/** Page for people with everything agents have learned. Best effort: failures of the disk are ignored. */
export interface KnowledgePage {
  /** Replaces the whole page. */
  write(text: string): void
}
