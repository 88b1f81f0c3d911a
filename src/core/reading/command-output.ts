/** Returns the line of a failed command's output that most likely names the cause, or '' when it printed nothing. */
export function causeIn(output: string): string {
  const lines = linesOf(output)
  // A stack trace ends with its error; most other programs name the first thing that went wrong first.
  const isTrace = lines.some((line) => line.startsWith('Traceback'))
  const named = isTrace ? undefined : lines.find((line) => TROUBLE.test(line) && !NO_TEXT.test(line))
  const cause = named ?? lines.at(-1) ?? ''
  return cause.length > CAUSE_MAX ? `${cause.slice(0, CAUSE_MAX - 1)}…` : cause
}

/** Returns the last lines of an output, without blank ones. */
export function lastLines(output: string): readonly string[] {
  return linesOf(output).slice(-LINES_MAX)
}

const CAUSE_MAX = 200
const LINES_MAX = 12
const TROUBLE = /error|fatal|failed|cannot|can't|not found|denied|no such|missing|unable/i
// npm puts a code on a line of its own, before the text.
const NO_TEXT = /^npm (error|ERR!)( (code|errno|syscall|path)\b.*)?$/

function linesOf(output: string): readonly string[] {
  // Programs that think they have a terminal use colours and overwrite their own lines.
  const plain = output.replaceAll(/\p{Cc}\[[0-9;?]*[A-Za-z]/gu, '').replaceAll(/[^\n]*\r(?!\n)/g, '')
  return plain
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
