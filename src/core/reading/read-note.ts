import { NOTE_CHARACTERS_MAX } from '../limits/limits.ts'
import type { NoteQuality } from '../model/round.ts'
import { excerpt } from './text.ts'

/** Hand-off note of a session. */
export interface HandOffNote {
  readonly quality: NoteQuality
  /** Note without surrounding tags and fences, or '' when there is none. */
  readonly text: string
}

/** Parses an agent's answer to the request for its note. */
export function readNote(answer: string | null): HandOffNote {
  const text = unwrapped(answer ?? '').trim()
  if (text === '') return { quality: 'none', text: '' }
  const sections = new Set(text.split('\n').flatMap((line) => sectionOf(line) ?? []))
  return { quality: sections.size === SECTIONS.length ? 'whole' : 'partial', text: excerpt(text, NOTE_CHARACTERS_MAX) }
}

const SECTIONS = [
  ['goal', /^(the )?goal\b/],
  ['completed', /^(completed|done|finished)\b/],
  ['remaining', /^(remaining|to ?do|next)\b/],
  ['do-not-redo', /^(do not|don.?t) (redo|repeat)\b/],
  ['decisions', /^(key )?decisions\b/],
] as const

/** Returns the section that a line starts, as a heading, in bold, as a tag or with a colon. */
function sectionOf(line: string): string | null {
  const isHeading = /^\s*(#{1,6}\s|\*\*|<\w|\d+[.)]\s+\*\*)/.test(line) || /^[\s\w'’-]{3,30}:/.test(line)
  if (!isHeading) return null
  const words = line
    .toLowerCase()
    .replaceAll(/[-_]/g, ' ')
    .replace(/^[^a-z]+/, '')
  return SECTIONS.find(([, pattern]) => pattern.test(words))?.[0] ?? null
}

/** Removes the surrounding tag or fence, closed or not. */
function unwrapped(answer: string): string {
  const tagged = /<hand-?_?off>([\s\S]*?)(<\/hand-?_?off>|$)/i.exec(answer)?.[1] ?? answer
  const fenced = /^\s*(?:```|~~~)[^\n]*\n([\s\S]*?)(?:\n(?:```|~~~)\s*$|$)/.exec(tagged)?.[1]
  return fenced === undefined || fenced === tagged ? tagged : unwrapped(fenced)
}
