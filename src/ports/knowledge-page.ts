/** What agents have learned, as a page for people. Nothing depends on it: a disk that fails it is no trouble. */
export interface KnowledgePage {
  /** Replaces the page as a whole. */
  write(text: string): void
}
