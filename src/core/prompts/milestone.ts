import { SUMMARY_CHARACTERS_MAX, SUMMARY_TOKENS_MAX } from '../limits/limits.ts'
import type { AttemptSpec } from '../model/attempt.ts'
import { jsonIn } from '../reading/text.ts'
import { textPlaceholder } from './text-placeholder.ts'

/** Describes the milestone of a task, and those before it, to an agent. */
export function milestoneText({ milestone, before }: Pick<AttemptSpec, 'milestone' | 'before'>): string {
  if (milestone === null) return ''
  const own = `This task belongs to the milestone "${milestone.title}". ${milestone.brief}`.trim()
  const earlier = before.map(({ title, summary }) => {
    return `Summary of the finished milestone "${title}" before it:\n\n${textPlaceholder(summary)}`
  })
  return [own, ...earlier].join('\n\n')
}

/** Returns the digests of the summaries that a first prompt refers to. */
export function summaryDigests({ before }: Pick<AttemptSpec, 'before'>): readonly string[] {
  return before.map(({ summary }) => summary)
}

const SECTIONS = ['accomplished', 'decisions', 'state', 'issues', 'next'] as const

/** Asks a judge to summarize a milestone. */
export function summaryQuestion(title: string, brief: string, facts: string) {
  return {
    system: SUMMARY_SYSTEM,
    prompt: [`# Milestone: ${title}`, brief, 'Recorded facts:', facts].filter((part) => part !== '').join('\n\n'),
    tokensMax: SUMMARY_TOKENS_MAX + JSON_TOKENS,
  }
}

const JSON_TOKENS = 300

const SUMMARY_SYSTEM = `You summarize a finished milestone of a software project for the engineers who work on the next one. You get the recorded facts. Write only what follows from them: do not invent anything, and leave out what will not help the reader.

Answer with one JSON object and nothing else, in this form:
{
  "accomplished": ["what the next milestone can build on"],
  "decisions": ["what was decided and why"],
  "state": ["the current state"],
  "issues": ["what failed, was left out or is uncertain"],
  "next": ["what the next milestone has to watch out for"]
}
Write 500 to 1000 tokens in total. Lists may be empty.`

/** Formats a judge's summary, or returns null when the answer has another form. */
export function readSummary(answer: string): string | null {
  const value = jsonIn(answer)
  if (value === null || !SECTIONS.some((name) => linesOf(value[name]).length > 0)) return null
  return SECTIONS.map((name) => sectionText(name, linesOf(value[name]))).join('\n\n')
}

/** Shortens a summary to its maximum length, at the end of a line where possible. */
export function cutSummary(text: string): string {
  if (text.length <= SUMMARY_CHARACTERS_MAX) return text
  const kept = text.slice(0, SUMMARY_CHARACTERS_MAX - CUT.length)
  const end = kept.lastIndexOf('\n')
  return `${end > kept.length * LINE_SHARE_MIN ? kept.slice(0, end) : kept}${CUT}`
}

const CUT = '\n… (cut)'
const LINE_SHARE_MIN = 0.9

function linesOf(value: unknown): readonly string[] {
  const items = Array.isArray(value) ? value : [value]
  return items
    .filter((item): item is string => typeof item === 'string' && item.trim() !== '')
    .map((item) => item.trim())
}

function sectionText(name: string, lines: readonly string[]): string {
  const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
  return `## ${title}\n${lines.length === 0 ? 'None.' : lines.map((line) => `- ${line}`).join('\n')}`
}
