/** Returns a path beside another with the same ending: "a/b.test.ts" and "x" make "a/x.test.ts". */
export function beside(path: string, name: string): string {
  const slash = path.lastIndexOf('/') + 1
  const file = path.slice(slash)
  const dot = file.indexOf('.', 1)
  return `${path.slice(0, slash)}${name}${dot < 0 ? '' : file.slice(dot)}`
}

/** Puts a line before a text, but behind the line that names its interpreter. */
export function prepended(text: string, line: string): string {
  const start = /^#!.*\n/.exec(text)?.[0] ?? ''
  return `${start}${line}\n${text.slice(start.length)}`
}

/** Appends lines to a text, which may lack its last line end. */
export function appended(text: string, lines: string): string {
  return `${text === '' || text.endsWith('\n') ? text : `${text}\n`}\n${lines}\n`
}
