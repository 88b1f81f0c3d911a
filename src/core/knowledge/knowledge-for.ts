import { KNOWLEDGE_NEWEST_MAX, KNOWLEDGE_PROMPT_CHARACTERS_MAX } from '../limits/limits.ts'
import type { KnowledgeEntry } from '../model/knowledge.ts'
import type { Task } from '../model/task.ts'
import { globPattern } from '../reading/text.ts'
import { knowledgeLine } from './keep-knowledge.ts'

type Wanted = Pick<Task, 'title' | 'brief' | 'files'>

/** Returns the knowledge for a task's prompt: the best matches, then the newest entries; '' when there is none. */
export function knowledgeFor(known: readonly KnowledgeEntry[], task: Wanted): string {
  const words = wordsOf(`${task.title} ${task.brief} ${task.files.join(' ')}`)
  const newestFirst = [...known].reverse()
  const fits = newestFirst
    .map((entry) => ({ entry, fit: fitOf(entry, task.files, words) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .map(({ entry }) => entry)
  // Entries about specific files are left out where they do not match.
  const newest = newestFirst.filter((entry) => entry.files.length === 0 && !fits.includes(entry))
  return listed([...fits, ...newest.slice(0, KNOWLEDGE_NEWEST_MAX)])
}

/** Returns the entries that share words with a text, best first. */
export function findKnowledge(known: readonly KnowledgeEntry[], text: string): readonly KnowledgeEntry[] {
  const words = wordsOf(text)
  return [...known]
    .reverse()
    .map((entry) => ({ entry, fit: shared(entry, words) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .map(({ entry }) => entry)
}

const FILE_FIT = 100

function fitOf(entry: KnowledgeEntry, files: readonly string[], words: ReadonlySet<string>): number {
  const overlaps = entry.files.some((glob) => files.some((file) => mayOverlap(glob, file)))
  return (overlaps ? FILE_FIT : 0) + shared(entry, words)
}

/** True when two globs, or a glob and a path, may mean the same file. */
function mayOverlap(one: string, other: string): boolean {
  return globPattern(one).test(other) || globPattern(other).test(one)
}

function shared({ text, files }: KnowledgeEntry, words: ReadonlySet<string>): number {
  return [...wordsOf(`${text} ${files.join(' ')}`)].filter((word) => words.has(word)).length
}

/** Returns the significant words of a text. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/\p{L}[\p{L}\p{N}]{3,}/gu) ?? []
  return new Set(words.filter((word) => !EMPTY_WORDS.has(word)))
}

const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'about after again also always because been before both does done each every file files from have into just make must need never only other over same should some such task tasks test tests than that their them then there these they this those under until used uses using very want were what when where which while will with work would your'.split(
    ' ',
  ),
)

function listed(entries: readonly KnowledgeEntry[]): string {
  let text = ''
  for (const line of entries.map(knowledgeLine)) {
    const longer = text === '' ? `${HEAD}\n${line}` : `${text}\n${line}`
    if (longer.length <= KNOWLEDGE_PROMPT_CHARACTERS_MAX) text = longer
  }
  return text
}

const HEAD = 'Notes of agents from earlier tasks; verify them before you rely on them:'
