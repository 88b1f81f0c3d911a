import { KNOWLEDGE_NEWEST_MAX, KNOWLEDGE_PROMPT_CHARACTERS_MAX } from '../limits/limits.ts'
import type { KnowledgeEntry } from '../model/knowledge.ts'
import type { Task } from '../model/task.ts'
import { globPattern } from '../reading/text.ts'
import { knowledgeLine } from './keep-knowledge.ts'

type Wanted = Pick<Task, 'title' | 'brief' | 'files'>

/** What a task's agent is told of what was learned before: what fits the task best, then the newest; '' for nothing. */
export function knowledgeFor(known: readonly KnowledgeEntry[], task: Wanted): string {
  const words = wordsOf(`${task.title} ${task.brief} ${task.files.join(' ')}`)
  const newestFirst = [...known].reverse()
  const fits = newestFirst
    .map((entry) => ({ entry, fit: fitOf(entry, task.files, words) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .map(({ entry }) => entry)
  // Nothing that belongs to certain files is told where it does not fit.
  const newest = newestFirst.filter((entry) => entry.files.length === 0 && !fits.includes(entry))
  return listed([...fits, ...newest.slice(0, KNOWLEDGE_NEWEST_MAX)])
}

/** What is known that shares words with these, the best first. */
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
  const meets = entry.files.some((glob) => files.some((file) => doMeet(glob, file)))
  return (meets ? FILE_FIT : 0) + shared(entry, words)
}

/** Whether two globs, or a glob and a path, may mean the same file. */
function doMeet(one: string, other: string): boolean {
  return globPattern(one).test(other) || globPattern(other).test(one)
}

function shared({ text, files }: KnowledgeEntry, words: ReadonlySet<string>): number {
  return [...wordsOf(`${text} ${files.join(' ')}`)].filter((word) => words.has(word)).length
}

/** The words of a text that say what it is about. */
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

const HEAD = 'Agents of earlier tasks here noted this; see for yourself before you rely on it:'
