/** Returns output for people: of the events of `go test -json`, only the text in them. */
export function readableOutput(output: string): string {
  if (!output.includes('"Action":"')) return output
  return output
    .split('\n')
    .map((line) => (line.startsWith('{') ? textOf(line) : `${line}\n`))
    .join('')
    .replace(/\n$/, '')
}

function textOf(line: string): string {
  try {
    const { Action: action, Output: text } = JSON.parse(line)
    if (typeof action !== 'string') return `${line}\n`
    return typeof text === 'string' ? text : ''
  } catch {
    return `${line}\n` // cut off, or JSON of another program
  }
}
