import { describe, expect, test } from 'vitest'
import { givenTask } from '../../../test/given/given-run.ts'
import { KNOWLEDGE_CHARACTERS_MAX, KNOWLEDGE_ENTRIES_MAX, KNOWLEDGE_PROMPT_CHARACTERS_MAX } from '../limits/limits.ts'
import type { TaskId } from '../model/ids.ts'
import type { KnowledgeEntry } from '../model/knowledge.ts'
import { addKnowledge, knowledgePage } from './keep-knowledge.ts'
import { knowledgeFor } from './knowledge-for.ts'

const entry = (text: string, files: readonly string[] = [], task = 't1'): KnowledgeEntry => {
  return { text, files, task: task as TaskId }
}

describe('entries in the prompt of a task', () => {
  const known = [
    entry('Old and about nothing in particular.'),
    entry('The parser wants a newline.', ['src/parse/**']),
    entry('Invoices are rounded half to even.'),
    entry('Migrations run twice in CI.', ['db/*.sql']),
    entry('Use pnpm.'),
    entry('Dates are in UTC.'),
    entry('Ask Ada about signing.'),
  ]
  test.each([
    ['of its files', { files: ['src/parse/lex.ts'] }, ['The parser wants a newline.']],
    ['of its files, given as a glob', { files: ['src/**'] }, ['The parser wants a newline.']],
    ['of its words', { brief: 'Show what invoices come to.' }, ['Invoices are rounded half to even.']],
    ['of files named in its brief', { brief: 'Change the parser.' }, ['The parser wants a newline.']],
    ["and none of others' files", { files: ['docs/a.md'] }, []],
  ])('%s come first, then the three newest that are about no file', (_, more, first) => {
    const text = knowledgeFor(known, givenTask('t9', [], { title: 'T', brief: '', ...more }))
    const lines = text.split('\n').slice(1)
    const newest = ['Ask Ada about signing.', 'Dates are in UTC.', 'Use pnpm.']
    expect(lines).toEqual([...first, ...newest].map((text) => expect.stringContaining(`- ${text} (t1`)))
  })

  test('no knowledge, no text', () => {
    expect(knowledgeFor([], givenTask('t9'))).toBe('')
  })

  test('no more than a prompt has room for; one that is too long leaves room for others', () => {
    const long = entry(`Parser ${'x'.repeat(KNOWLEDGE_PROMPT_CHARACTERS_MAX)}`)
    const short = Array.from({ length: 100 }, (_, index) => entry(`Parser rule ${index} says so.`))
    const text = knowledgeFor([...short, long], givenTask('t9', [], { title: 'Parser' }))
    expect(text.length).toBeLessThanOrEqual(KNOWLEDGE_PROMPT_CHARACTERS_MAX)
    expect(text.split('\n').length).toBeGreaterThan(20)
    expect(text).not.toContain('xxx')
  })
})

describe('kept entries', () => {
  const kept = (entries: readonly KnowledgeEntry[]) => entries.reduce<readonly KnowledgeEntry[]>(addKnowledge, [])

  test('a repeated text is kept once, in its last wording', () => {
    const [first, second] = [entry('Use pnpm!', [], 't1'), entry('use  PNPM', [], 't2')]
    expect(kept([first, entry('Else.'), second])).toEqual([entry('Else.'), second])
  })

  test('the oldest entries are dropped, by number', () => {
    const many = Array.from({ length: KNOWLEDGE_ENTRIES_MAX + 5 }, (_, index) => entry(`Rule ${index}`))
    expect(kept(many)).toEqual(many.slice(5))
  })

  test('and by length', () => {
    const many = Array.from({ length: 150 }, (_, index) => entry(`${index} ${'long '.repeat(99)}`))
    const left = kept(many)
    expect(knowledgePage(left).length).toBeLessThan(KNOWLEDGE_CHARACTERS_MAX + 500)
    expect(left.at(-1)).toEqual(many.at(-1))
    expect(left.length).toBeLessThan(100)
  })

  test('the page has one line for each, the newest first', () => {
    const page = knowledgePage([entry('One.'), entry('Two,\non two lines.', ['a/**', 'b.ts'], 't2')])
    expect(page.split('\n').slice(-3)).toEqual(['- Two, on two lines. (t2, about a/**, b.ts)', '- One. (t1)', ''])
  })
})
