/** A key, or text that was typed or pasted. */
export type Key = { readonly kind: 'text'; readonly text: string } | { readonly kind: NamedKey }

export type NamedKey =
  | 'up'
  | 'down'
  | 'page-up'
  | 'page-down'
  | 'home'
  | 'end'
  | 'enter'
  | 'escape'
  | 'backspace'
  | 'clear'
  | 'interrupt'
  | 'stop'

/** Decodes the keys that a terminal in raw mode has sent. */
export function decodeKeys(input: string): readonly Key[] {
  const keys: Key[] = []
  for (let rest = input; rest !== ''; ) {
    const sequence = firstOf(rest)
    const named = NAMED[sequence]
    if (named !== undefined) keys.push({ kind: named })
    else if (TEXT.test(sequence)) keys.push({ kind: 'text', text: sequence })
    rest = rest.slice(sequence.length)
  }
  return keys
}

// An escape, then a bracket, parameters and a letter, or an O and a letter.
const SEQUENCE = /^.(?:\[[0-9;?]*[A-Za-z~]|O[A-Za-z])/u
const TEXT = /^\P{Cc}+/u
const ESCAPE = '\u001b'

/** Returns the first key sequence or text of the input. */
function firstOf(input: string): string {
  const match = input.startsWith(ESCAPE) ? SEQUENCE.exec(input) : TEXT.exec(input)
  return match?.[0] ?? input.slice(0, 1)
}

const NAMED: Readonly<Record<string, NamedKey>> = {
  '\u001b[A': 'up',
  '\u001bOA': 'up',
  '\u001b[B': 'down',
  '\u001bOB': 'down',
  '\u001b[5~': 'page-up',
  '\u001b[6~': 'page-down',
  '\u001b[H': 'home',
  '\u001bOH': 'home',
  '\u001b[1~': 'home',
  '\u001b[F': 'end',
  '\u001bOF': 'end',
  '\u001b[4~': 'end',
  '\r': 'enter',
  '\n': 'enter',
  '\u001b': 'escape',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u0015': 'clear',
  '\u0003': 'interrupt',
  '\u001a': 'stop',
}
