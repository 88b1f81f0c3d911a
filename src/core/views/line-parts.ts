import type { Commit } from '../model/ids.ts'
import { type Finding, findingText } from '../model/verdict.ts'

/** One fact as a person reads it. */
export interface EventLine {
  /** The task or attempt it is about; empty: the run as a whole. */
  readonly about: string
  readonly text: string
  readonly tone: 'plain' | 'good' | 'warn' | 'bad'
  /** Details are left out where the run goes by, and shown in the log. */
  readonly isDetail: boolean
}

/** How much a fact matters to a person, from least to most. */
export const LEVELS = ['info', 'notice', 'warning', 'problem'] as const
export type Level = (typeof LEVELS)[number]

/** How much a line matters. */
export function levelOf({ isDetail, tone }: Pick<EventLine, 'isDetail' | 'tone'>): Level {
  if (tone === 'bad') return 'problem'
  if (tone === 'warn') return 'warning'
  return isDetail ? 'info' : 'notice'
}

/** How a moment is told. */
export type FormatTime = (at: number) => string

/** A line that is shown wherever the run goes by. */
export function line(about: string, text: string, tone: EventLine['tone'] = 'plain'): EventLine {
  return { about, text, tone, isDetail: false }
}

/** A line that is shown in the log only. */
export function detail(about: string, text: string): EventLine {
  return { about, text, tone: 'plain', isDetail: true }
}

/** So many of something. */
export function counted(count: number, one: string): string {
  return `${grouped(count)} ${one}${count === 1 ? '' : 's'}`
}

/** A whole number with its thousands apart. */
export function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

/** A commit as people write it. */
export function short(commit: Commit): string {
  return commit.slice(0, 10)
}

/** Money, with the cents that matter. */
export function dollars(usd: number): string {
  return `${usd.toFixed(2)} USD`
}

/** The first finding, and how many more there are. */
export function firstFinding(findings: readonly Finding[]): string {
  const [first] = findings
  if (first === undefined) return 'no reason was given'
  const more = findings.length === 1 ? '' : ` (and ${findings.length - 1} more)`
  return `${first.source}: ${oneLine(findingText(first))}${more}`
}

/** A text on one line that ends like a sentence, so that another may follow. */
export function sentence(text: string): string {
  return oneLine(text).replace(/(?<![.!?])$/, '.')
}

/** A sentence as a part of another one. */
export function clause(text: string): string {
  return oneLine(text)
    .replace(/^(The|An?|It|Its|No|Nothing)(?= )/, (word) => word.toLowerCase())
    .replace(/\.$/, '')
}

/** A text on one line. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
