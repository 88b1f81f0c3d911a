import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import exceptions from './english-exceptions.json' with { type: 'json' }
import { filesUnder, root } from './source.ts'

// A comment starts with a verb in the third person or with the noun it explains.
const FIRST_WORDS = 'What Whatever Whether Who Whoever Where How Somebody Nobody The\\ssame It One'.split(' ')
const FIRST_WORD = new RegExp(`^(${FIRST_WORDS.join('|')})\\b(?!-)`)

// Home-made words, each with the field's own word.
const WORDS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\bwork(s|ed|ing)? off\b/i, 'work through'],
  [/\b(tells?|told|telling|teller)\b(?!-attempt| apart)/i, 'report, say, show'],
  [/\blet(s|ting)? go\b|\bletGo\b/i, 'remove'],
  [/\buntied\b/i, 'orphan'],
  [/\battitudes?\b/i, 'preset'],
  [/\b(take|takes|took|taken) (it |them )?up\b/i, 'start, reopen'],
  [/\bcomes? no further\b/i, 'is stuck'],
  [/\bl(ies|ying) about\b/i, 'is left over'],
]

// In code, where the reader needs to know which process or person is meant.
const CODE_WORDS: typeof WORDS = [...WORDS, [/\b(some|no)body\b/i, 'name who: the user, the engine, another process']]

// Locals that say how a value came about instead of what it is.
const LOCAL = /\b(?:const|let) (told|given|made|found|said|heard|asked)\b/

interface Riddle {
  readonly path: string
  readonly line: number
  readonly text: string
}

describe('plain English', () => {
  test('comments start with a verb or a noun, and words and locals are the ones of the field', () => {
    const riddles = [...codeFiles().flatMap(codeRiddles), ...proseFiles().flatMap(proseRiddles)]
    const countOf = (path: string) => riddles.filter((riddle) => riddle.path === path).length
    const allowed: Readonly<Record<string, number>> = exceptions
    const tooMany = riddles.filter(({ path }) => countOf(path) > (allowed[path] ?? 0))
    expect(tooMany.map(({ path, line, text }) => `${path}:${line} ${text}`)).toEqual([])
    // The list only shrinks: an entry that allows more than there is has to be lowered.
    const loose = Object.entries(allowed).filter(([path, count]) => countOf(path) < count)
    expect(loose).toEqual([])
  })
})

describe('the scanner notices', () => {
  test.each([
    ['/** What a run costs. */', 'starts with "What"'],
    ['  // It is read byte by byte.', 'starts with "It"'],
    ['const a = 1 // Whether it is due', 'starts with "Whether"'],
    ['/** The same, before it is known what for. */', 'starts with "The same"'],
    ['/** Mends a file. */', 'says "Mends": fix'],
    ["say('the agent is told')", 'says "told": report, say, show'],
    ['  const found = find()', 'calls a local "found"'],
  ])('%s', (line, text) => {
    expect(riddlesIn('a.ts', line)).toEqual([{ path: 'a.ts', line: 1, text }])
  })

  test.each([
    '/** Validates a clone before use. */',
    '// Git keeps the lock for a moment.\n// It is gone afterwards.',
    '/** One-line summary of a run. */',
    "const url = 'http://What'",
  ])('nothing wrong with %s', (text) => {
    expect(riddlesIn('a.ts', text)).toEqual([])
  })
})

function codeFiles(): readonly string[] {
  const files = ['src', 'test', 'bench', 'scripts'].flatMap(filesUnder)
  return files.filter((path) => /\.(ts|mjs)$/.test(path) && !path.endsWith('english.test.ts'))
}

// AGENTS.md and the glossary list the words to avoid.
function proseFiles(): readonly string[] {
  const pages = filesUnder('docs').filter((path) => path.endsWith('.md') && path !== 'docs/GLOSSARY.md')
  return ['README.md', 'CONTRIBUTING.md', ...pages]
}

function codeRiddles(path: string): readonly Riddle[] {
  return riddlesIn(path, readFileSync(join(root, path), 'utf8'))
}

function proseRiddles(path: string): readonly Riddle[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n')
  return lines.flatMap((text, index) => wordComplaints(text, WORDS).map((complaint) => riddle(path, index, complaint)))
}

function riddlesIn(path: string, text: string): readonly Riddle[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const complaints = [
      ...commentComplaints(line, lines[index - 1] ?? ''),
      ...wordComplaints(line, CODE_WORDS),
      ...localComplaints(line),
    ]
    return complaints.map((complaint) => riddle(path, index, complaint))
  })
}

function riddle(path: string, index: number, text: string): Riddle {
  return { path, line: index + 1, text }
}

/** Returns a complaint about the first word of a comment; lines that go on with a comment are not looked at. */
function commentComplaints(line: string, before: string): readonly string[] {
  const comment = /^\s*\/\*\*? (.*)|(?:^|\s)\/\/ (.*)/.exec(line)
  if (comment === null || (/^\s*\/\//.test(line) && /^\s*\/\//.test(before))) return []
  const first = FIRST_WORD.exec(comment[1] ?? comment[2] ?? '')?.[1]
  return first === undefined ? [] : [`starts with "${first}"`]
}

function wordComplaints(line: string, words: typeof WORDS): readonly string[] {
  return words.flatMap(([word, instead]) => {
    const said = word.exec(line)?.[0]
    return said === undefined ? [] : [`says "${said}": ${instead}`]
  })
}

function localComplaints(line: string): readonly string[] {
  const name = LOCAL.exec(line)?.[1]
  return name === undefined ? [] : [`calls a local "${name}"`]
}
