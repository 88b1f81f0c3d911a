// As tokenizers of English and code do, give or take a fifth.
const CHARACTERS_PER_TOKEN = 4
const PIECE_LENGTH = 200

/** How many tokens a text has, roughly. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}

/** A text in the pieces in which it is streamed. */
export function pieces(text: string): readonly string[] {
  const count = Math.ceil(text.length / PIECE_LENGTH)
  return Array.from({ length: count }, (_, index) => text.slice(index * PIECE_LENGTH, (index + 1) * PIECE_LENGTH))
}
