import { KNOWLEDGE_CHARACTERS_MAX, KNOWLEDGE_ENTRIES_MAX } from '../limits/limits.ts'
import type { KnowledgeEntry } from '../model/knowledge.ts'

/** What is known with something new in it, the newest last: said twice it is kept once, and the oldest give way. */
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

/** One thing that is known, on one line. */
export function knowledgeLine({ text, files, task }: KnowledgeEntry): string {
  const where = files.length === 0 ? '' : `, about ${files.join(', ')}`
  return `- ${text.replaceAll(/\s+/g, ' ').trim()} (${task}${where})`
}

/** The page's name in the state folder. */
export const KNOWLEDGE_FILE = 'knowledge.md'

/** All that is known of a repository, as a file for people. */
export function knowledgePage(known: readonly KnowledgeEntry[]): string {
  return [HEAD, ...[...known].reverse().map(knowledgeLine), ''].join('\n')
}

const HEAD = `# What agents have learned here

Longhaul writes this page anew whenever an agent records something; what is changed in it here is lost.
The newest comes first. What fits a later task is part of its prompt.
`

function sameText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
