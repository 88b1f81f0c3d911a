import { KNOWLEDGE_CHARACTERS_MAX, KNOWLEDGE_ENTRIES_MAX } from '../limits/limits.ts'
import type { KnowledgeEntry } from '../model/knowledge.ts'

/** Adds an entry, newest last; repeated texts are kept once, and the oldest entries are dropped. */
export function addKnowledge(known: readonly KnowledgeEntry[], entry: KnowledgeEntry): readonly KnowledgeEntry[] {
  const others = known.filter(({ text }) => sameText(text) !== sameText(entry.text))
  const newestFirst = [...others, entry].slice(-KNOWLEDGE_ENTRIES_MAX).reverse()
  let room = KNOWLEDGE_CHARACTERS_MAX
  const fitting = newestFirst.filter((one) => {
    room -= knowledgeLine(one).length + 1
    return room >= 0
  })
  return fitting.reverse()
}

/** Returns an entry on one line. */
export function knowledgeLine({ text, files, task }: KnowledgeEntry): string {
  const where = files.length === 0 ? '' : `, about ${files.join(', ')}`
  return `- ${text.replaceAll(/\s+/g, ' ').trim()} (${task}${where})`
}

/** Name of the page in the state folder. */
export const KNOWLEDGE_FILE = 'knowledge.md'

/** Returns a repository's knowledge as a page for people. */
export function knowledgePage(known: readonly KnowledgeEntry[]): string {
  return [HEAD, ...[...known].reverse().map(knowledgeLine), ''].join('\n')
}

const HEAD = `# What agents have learned here

Longhaul rewrites this page whenever an agent records something, so your edits here are lost.
The newest entry comes first. Entries that match a later task become part of its prompt.
`

function sameText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
