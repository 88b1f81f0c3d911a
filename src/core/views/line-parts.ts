import type { Commit } from '../model/ids.ts'
import { type Finding, findingText } from '../model/verdict.ts'

/** A fact, rendered for people. */
export interface EventLine {
  /** Task or attempt, or empty for the run as a whole. */
  readonly about: string
  readonly text: string
  readonly tone: 'plain' | 'good' | 'warn' | 'bad'
  /** Output that has it: the progress of a run (and the log), `longhaul log`, or only its JSON. */
  readonly shownIn: 'run' | 'log' | 'json'
}

/** Importance of a fact to people, lowest first. */
export const LEVELS = ['info', 'notice', 'warning', 'problem'] as const
export type Level = (typeof LEVELS)[number]

/** Returns the importance of a line. */
export function levelOf({ shownIn, tone }: Pick<EventLine, 'shownIn' | 'tone'>): Level {
  if (tone === 'bad') return 'problem'
  if (tone === 'warn') return 'warning'
  return shownIn === 'run' ? 'notice' : 'info'
}

/** Formats a point in time. */
export type FormatTime = (at: number) => string

/** Makes a line that is printed while the run works, and in the log. */
export function line(about: string, text: string, tone: EventLine['tone'] = 'plain'): EventLine {
  return { about, text, tone, shownIn: 'run' }
}

/** Makes a line that appears in the log only. */
export function detail(about: string, text: string): EventLine {
  return { about, text, tone: 'plain', shownIn: 'log' }
}

/** Makes a line for a step that another line already reports. */
export function bookkeeping(about: string, text: string): EventLine {
  return { about, text, tone: 'plain', shownIn: 'json' }
}

/** Formats a count with its noun: 1 file, 2 files. */
export function counted(count: number, one: string): string {
  return `${grouped(count)} ${one}${count === 1 ? '' : 's'}`
}

/** Formats a whole number with thousands separators. */
export function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

/** Abbreviates a commit. */
export function short(commit: Commit): string {
  return commit.slice(0, 10)
}

/** Formats an amount of money. */
export function dollars(usd: number): string {
  return `${usd.toFixed(2)} USD`
}

/** Formats the first finding and the number of others. */
export function firstFinding(findings: readonly Finding[]): string {
  const [first] = findings
  if (first === undefined) return 'no reason given'
  const more = findings.length === 1 ? '' : ` (and ${findings.length - 1} more)`
  return `${first.source}: ${oneLine(findingText(first))}${more}`
}

/** Ends a text with a full stop, so that another sentence can follow. */
export function sentence(text: string): string {
  return oneLine(text).replace(/(?<![.!?])$/, '.')
}

/** Turns a sentence into a clause of another one. */
export function clause(text: string): string {
  return oneLine(text)
    .replace(/^(The|An?|It|Its|No|Nothing)(?= )/, (word) => word.toLowerCase())
    .replace(/\.$/, '')
}

/** Joins the lines of a text. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
