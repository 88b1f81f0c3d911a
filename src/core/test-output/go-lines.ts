/** A message with its place, in a line of Go's tools. */
export interface GoMessage {
  readonly file: string
  readonly line: number
  readonly message: string
}

/** Reads a log line of a test, or a line of a panic's stack in a test file. */
export function goLog(line: string): GoMessage | null {
  return line.includes('.go:') ? message(LOGGED.exec(line)) : null
}

/** Reads a compiler's error. */
export function goError(line: string): GoMessage | null {
  return message(ERROR.exec(line))
}

function message(match: RegExpExecArray | null): GoMessage | null {
  return match === null ? null : { file: match[1] ?? '', line: Number(match[2]), message: match[3] ?? '' }
}

const LOGGED = /^\s+(?:(?=\S+_test\.go:\d+ \+0x)|(?=\S+\.go:\d+: ))(\S+\.go):(\d+)(?:: (.*)| \+0x.*)$/
const ERROR = /^(\S+\.go):(\d+):(?:\d+:)? (.+)$/
