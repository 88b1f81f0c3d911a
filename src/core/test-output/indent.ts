/** How many spaces a line begins with. */
export function indentOf(line: string): number {
  let indent = 0
  while (line.charCodeAt(indent) === SPACE) indent += 1
  return indent
}

const SPACE = 0x20
