import { SUMMARY_CHARACTERS_MAX, SUMMARY_TOKENS_MAX } from '../limits/limits.ts'
import type { AttemptSpec } from '../model/attempt.ts'
import { jsonIn } from '../reading/text.ts'
import { textPlaceholder } from './text-placeholder.ts'

/** What an agent is told of the milestone that its task belongs to, and of those before it. */
export function milestoneText({ milestone, before }: Pick<AttemptSpec, 'milestone' | 'before'>): string {
  if (milestone === null) return ''
  const own = `This belongs to the milestone "${milestone.title}". ${milestone.brief}`.trim()
  const earlier = before.map(({ title, summary }) => {
    return `The milestone "${title}" came before it, and is over. Its summary:\n\n${textPlaceholder(summary)}`
  })
  return [own, ...earlier].join('\n\n')
}

/** The digests of the summaries that have a place in an opening. */
export function summaryDigests({ before }: Pick<AttemptSpec, 'before'>): readonly string[] {
  return before.map(({ summary }) => summary)
}

const SECTIONS = ['accomplished', 'decisions', 'state', 'issues', 'next'] as const

/** How a judge is asked to sum a milestone up. */
export function summaryQuestion(title: string, brief: string, facts: string) {
  return {
    system: SUMMARY_SYSTEM,
    prompt: [`# Milestone: ${title}`, brief, 'What is recorded of it:', facts]
      .filter((part) => part !== '')
      .join('\n\n'),
    tokensMax: SUMMARY_TOKENS_MAX + JSON_TOKENS,
  }
}

const JSON_TOKENS = 300

const SUMMARY_SYSTEM = `You sum up a finished milestone of a software project for the engineers who work on the next one. You get what is recorded of it. Write only what follows from that: invent nothing, and leave out what helps nobody.

Answer with one JSON object and nothing else, in this form:
{
  "accomplished": ["what can be built on now"],
  "decisions": ["what was decided, and why"],
  "state": ["how things stand"],
  "issues": ["what failed, was left out or is doubtful"],
  "next": ["what the next milestone has to mind"]
}
Write 500 to 1000 tokens in all. A list may be empty.`

/** A judge's summary as engineers read it; null: it is not in the form that was asked for. */
export function readSummary(answer: string): string | null {
  const value = jsonIn(answer)
  if (value === null || !SECTIONS.some((name) => linesOf(value[name]).length > 0)) return null
  return SECTIONS.map((name) => sectionText(name, linesOf(value[name]))).join('\n\n')
}

/** A summary within its bounds, cut at the end of a line where that is near. */
export function cutSummary(text: string): string {
  if (text.length <= SUMMARY_CHARACTERS_MAX) return text
  const kept = text.slice(0, SUMMARY_CHARACTERS_MAX - CUT.length)
  const end = kept.lastIndexOf('\n')
  return `${end > kept.length * LINE_SHARE_MIN ? kept.slice(0, end) : kept}${CUT}`
}

const CUT = '\n… the rest was cut'
const LINE_SHARE_MIN = 0.9

function linesOf(value: unknown): readonly string[] {
  const items = Array.isArray(value) ? value : [value]
  return items
    .filter((item): item is string => typeof item === 'string' && item.trim() !== '')
    .map((item) => item.trim())
}

function sectionText(name: string, lines: readonly string[]): string {
  const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
  return `## ${title}\n${lines.length === 0 ? 'Nothing.' : lines.map((line) => `- ${line}`).join('\n')}`
}
