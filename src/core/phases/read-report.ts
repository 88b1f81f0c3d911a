import {
  type AgentReport,
  DECISIONS,
  type Issue,
  type QaResult,
  type Review,
  SEVERITIES,
} from '../model/agent-report.ts'
import type { Claim } from '../model/round.ts'
import type { Role } from '../model/workflow.ts'

/** Returns the report in an agent's answer: the last JSON object with the role's form, or null when none has it. */
export function readReport(role: Role, answer: string): AgentReport | null {
  if (role !== 'reviewer' && role !== 'qa') return null
  for (const written of objectsIn(answer)) {
    const report = role === 'reviewer' ? reviewReport(written) : qaReport(written)
    if (report !== null) return report
  }
  return null
}

type Fields = Readonly<Record<string, unknown>>

function reviewReport(written: Fields): AgentReport | null {
  const review = reviewFrom(written)
  return review === null ? null : { kind: 'review', review }
}

function qaReport(written: Fields): AgentReport | null {
  const qa = qaFrom(written)
  return qa === null ? null : { kind: 'qa', qa }
}

function reviewFrom({ issues, questions, positives, decision, reason }: Fields): Review | null {
  const readIssues = listOf(issues, issueFrom)
  const kind = DECISIONS.find((one) => one === decision)
  const isOther = decision !== undefined && decision !== null && kind === undefined
  if (readIssues === null || isOther) return null
  const readQuestions = listOf(questions ?? [], textFrom)
  const readPositives = listOf(positives ?? [], textFrom)
  if (readQuestions === null || readPositives === null) return null
  const decided = kind === undefined ? null : { kind, reason: textFrom(reason) ?? '' }
  return { issues: readIssues, questions: readQuestions, positives: readPositives, decision: decided }
}

function qaFrom({ tests, ran, coverage, documents, issues }: Fields): QaResult | null {
  const [written, documented] = [listOf(tests ?? [], textFrom), listOf(documents ?? [], textFrom)]
  const readIssues = listOf(issues, (issue) => {
    const read = issueFrom(issue)
    return read === null ? null : { ...read, reproduction: textFrom((issue as Fields).reproduction) ?? '' }
  })
  const counts = ran === undefined || ran === null ? null : countsFrom(ran)
  if (written === null || documented === null || readIssues === null || counts === 'unreadable') return null
  const share = typeof coverage === 'number' && coverage >= 0 && coverage <= 1 ? coverage : null
  return { tests: written, ran: counts, coverage: share, documents: documented, issues: readIssues }
}

function issueFrom(written: unknown): Issue | null {
  if (!isFields(written)) return null
  const { file, line } = written
  const severity = SEVERITIES.find((one) => one === written.severity)
  const message = textFrom(written.message)
  if (severity === undefined || message === null || message.trim() === '') return null
  return {
    severity,
    file: textFrom(file),
    line: typeof line === 'number' && line > 0 ? Math.floor(line) : null,
    message,
  }
}

function countsFrom(written: unknown): NonNullable<QaResult['ran']> | 'unreadable' {
  if (!isFields(written)) return 'unreadable'
  const [passed, failed, skipped = 0] = [written.passed, written.failed, written.skipped]
  return isCount(passed) && isCount(failed) && isCount(skipped) ? { passed, failed, skipped } : 'unreadable'
}

function listOf<T>(written: unknown, read: (item: unknown) => T | null): readonly T[] | null {
  if (!Array.isArray(written)) return null
  const items = written.map(read)
  return items.every((item) => item !== null) ? items : null
}

function textFrom(written: unknown): string | null {
  return typeof written === 'string' ? written : null
}

function isCount(written: unknown): written is number {
  return Number.isInteger(written) && (written as number) >= 0
}

function isFields(written: unknown): written is Fields {
  return typeof written === 'object' && written !== null && !Array.isArray(written)
}

/** Yields the JSON objects in a text, last first: in code blocks, on single lines, between the outer braces. */
function* objectsIn(text: string): Generator<Fields> {
  const blocks = [...text.matchAll(/```[a-z]*\s*\n([\s\S]*?)```/gi)].map(([, inside = '']) => inside)
  const loose = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  const lines = text.split('\n').filter((line) => /^\s*\{.*\}\s*$/.test(line))
  for (const candidate of [...blocks.reverse(), ...lines.reverse(), loose]) {
    const value = parsed(candidate)
    if (isFields(value)) yield value
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // not JSON
  }
}

/** Tags with which an agent without tools claims the state of its work. */
export const CLAIM_TAGS = {
  done: '<phase_complete>',
  continue: '<phase_continue>',
  blocked: '<phase_blocked>why</phase_blocked>',
} as const

/** Returns the claim of the last tag in a text, or null when there is none. */
export function claimIn(text: string): Claim | null {
  const last = [...text.matchAll(TAGS)].at(-1)?.groups
  if (last === undefined) return null
  if (last.blocked !== undefined) return { kind: 'blocked', reason: last.reason?.trim() || 'no reason was given' }
  return { kind: last.plain === 'complete' ? 'done' : 'continue' }
}

/** Returns a text without claim tags. */
export function withoutClaim(text: string): string {
  return text.replaceAll(TAGS, '').trim()
}

// An answer that was cut off may lack the closing tag.
const TAGS =
  /<phase_(?<plain>complete|continue)\s*\/?>|<phase_(?<blocked>blocked)\s*>(?<reason>[\s\S]*?)(?:<\/phase_blocked\s*>|$)/g
