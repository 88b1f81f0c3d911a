import { findingText, type Receipt } from '../../../core/model/verdict.ts'
import { testedText } from '../../../core/test-output/tests-text.ts'
import { counted, firstFinding, grouped, oneLine, short } from '../../../core/views/line-parts.ts'
import { checkedText } from '../../../core/views/proof.ts'
import { causeText, endText } from '../../../core/views/round-text.ts'
import type { AttemptStory, RoundStory, SessionStory, VerdictStory } from '../../../core/views/story/attempt-story.ts'
import type { Output } from '../output.ts'
import { indented, wrap } from './columns.ts'
import { spentText } from './spending.ts'
import { dateAndTime, duration, timeFormatter } from './times.ts'

/** How a story is printed. */
export interface StoryLook extends Pick<Output, 'colors' | 'width'> {
  readonly receipts: 'short' | 'whole'
  readonly notes: 'short' | 'whole'
}

/** One attempt of a story: what it was, what happened in it in order, its sessions and what it spent. */
export function renderAttempt(attempt: AttemptStory, look: StoryLook): readonly string[] {
  const { colors, width } = look
  const { driver, model, base, branch, outcome } = attempt
  const agent = driver === null ? [] : [model === null ? driver : `${driver} (${model})`]
  const where = outcome === 'landed' ? [] : [`its work: ${branch}`]
  const facts = [...agent, `from ${short(base)}`, ...where, ...attempt.salvage.map((ref) => `unsaved work: ${ref}`)]
  return [
    ...wrap(headOf(attempt), width).map(colors.bold),
    ...indented(facts.join(', '), 2, width).map(colors.dim),
    ...stepsOf(attempt, look),
    ...attempt.sessions.flatMap((session) => [
      ...indented(sessionText(session), 2, width),
      ...noteLines(session, look).map(colors.dim),
    ]),
    ...indented(spentText(attempt.spent), 2, width),
  ]
}

function headOf({ id, outcome, reason, startedAt, endedAt }: AttemptStory): string {
  const took = endedAt === null ? '' : ` after ${duration(Date.parse(endedAt) - Date.parse(startedAt))}`
  const now = reason === null ? 'goes on' : 'waits'
  const state = outcome === null ? now : outcome === 'abandoned' ? 'given up' : outcome
  return `Attempt ${id}: ${state}${took}${reason === null ? '' : `: ${oneLine(reason)}`}`
}

interface Step {
  readonly at: string
  readonly text: string
  readonly tone: 'plain' | 'warn' | 'bad'
  /** Lines below it. */
  readonly more?: readonly string[]
}

/** What happened, in order; of what came at the same moment, the saving first and the next round last. */
function stepsOf(attempt: AttemptStory, { colors, width, receipts }: StoryLook): readonly string[] {
  const steps: Step[] = [
    { at: attempt.startedAt, text: `started in ${oneLine(attempt.why)}`, tone: 'plain' },
    ...attempt.commits.map(({ at, commit, files }) =>
      plain(at, `saved as ${short(commit)}, ${counted(files, 'file')} changed since its base`),
    ),
    ...attempt.verdicts.map((verdict) => verdictStep(verdict, receipts)),
    ...attempt.waits.map(({ at, for: kind, reason }) => warn(at, `waits (${kind}): ${oneLine(reason)}`)),
    ...attempt.phases.map(({ at, phase, why }) => plain(at, `phase ${phase}: ${oneLine(why)}`)),
    ...attempt.rounds.map(roundStep),
    ...attempt.notes.map(({ at, text }) => plain(at, oneLine(text))),
  ]
  const formatTime = timeFormatter(Date.parse(attempt.startedAt))
  const tones = { plain: (text: string) => text, warn: colors.yellow, bad: colors.red }
  return steps
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .flatMap(({ at, text, tone, more = [] }) => {
      const time = formatTime(Date.parse(at))
      const [first = '', ...rest] = wrap(text, width === null ? null : width - time.length - 4)
      return [
        `  ${colors.dim(time)}  ${tones[tone](first)}`,
        ...rest.map((line) => `${' '.repeat(time.length + 4)}${tones[tone](line)}`),
        ...more.flatMap((line) => indented(line, time.length + 6, width).map(colors.dim)),
      ]
    })
}

function plain(at: string, text: string): Step {
  return { at, text, tone: 'plain' }
}

function warn(at: string, text: string): Step {
  return { at, text, tone: 'warn' }
}

function roundStep(round: RoundStory): Step {
  const { end, detail, claim, startedAt, endedAt, spent } = round
  const turns = `${spent.turns} of ${round.turnsMax} turns (${round.turnsWhy})`
  const money = spent.usd === null ? '' : `, ${spent.usd.toFixed(4)} USD`
  const took = endedAt === null ? '' : `, ${duration(Date.parse(endedAt) - Date.parse(startedAt))}`
  const outcome = end === null ? 'goes on' : endText({ kind: end, detail: detail ?? '', claim })
  const text = `round ${round.round} of ${round.phase}, ${causeText(round.cause)}: ${outcome}; ${turns}${money}${took}`
  return { at: startedAt, text, tone: end === null || end === 'ok' ? 'plain' : 'warn' }
}

function verdictStep({ at, on, commit, passed, receipts, findings }: VerdictStory, look: 'short' | 'whole'): Step {
  const where = on === 'workspace' ? 'checked in its workspace' : 'checked as merged'
  const what = commit === null ? '' : ` at ${short(commit)}`
  const said = passed ? `passed (${checkedText(receipts)})` : firstFinding(findings)
  const others = findings.slice(1).map((finding) => `${finding.source}: ${oneLine(findingText(finding))}`)
  const more = [...others, ...receipts.flatMap((receipt) => receiptLines(receipt, look, at))]
  return { at, text: `${where}${what}: ${said}`, tone: passed ? 'plain' : 'bad', more }
}

/** A receipt on a line, or whole; `at`: when it was given. */
export function receiptLines(receipt: Receipt, look: 'short' | 'whole', at: string): readonly string[] {
  const { gate, command, exitCode, timedOut, durationMs, tree, commit, outputDigest, environmentDigest } = receipt
  const code = timedOut ? 'ran out of time' : `exit code ${exitCode ?? 'unknown'}`
  const warns = receipt.passed || receipt.blocking ? '' : ' (only a warning)'
  const tested = testedText(receipt)
  const remarks = receiptRemarks(receipt)
  const ended = [`${code}${warns}`, ...(tested === '' ? [] : [tested]), ...remarks, duration(durationMs)].join(', ')
  if (look === 'short') return [`${gate}: ${command} → ${ended}, tree ${tree.slice(0, 10)}`]
  return [
    `${gate}: ${command}`,
    `  ${code}${warns} after ${durationMs} ms, ${dateAndTime(Date.parse(at))}`,
    ...(tested === '' ? [] : [`  ${tested}`]),
    ...remarks.map((remark) => `  ${remark}`),
    `  commit ${commit}`,
    `  tree ${tree}`,
    `  output sha256 ${outputDigest}`,
    `  environment sha256 ${environmentDigest}`,
  ]
}

/** Why it does not stop the work, and where it ran if not here. */
function receiptRemarks({ excuse, cachedFrom }: Receipt): readonly string[] {
  return [
    ...(excuse === null ? [] : [`not held against the work: ${excuse}`]),
    ...(cachedFrom === null ? [] : [`not run again, known from ${short(cachedFrom)}`]),
  ]
}

const NOTE_LINES_MAX = 6

/** What a session left for the next one, or how it begins. */
function noteLines({ note }: SessionStory, { notes, width }: StoryLook): readonly string[] {
  if (note === null) return []
  const lines = note.split('\n').filter((line) => notes === 'whole' || line.trim() !== '')
  const shown = notes === 'whole' ? lines : lines.slice(0, NOTE_LINES_MAX)
  const more = lines.length - shown.length
  const rest = more === 0 ? [] : [`… ${counted(more, 'more line')}: --notes`]
  return ['its note:', ...[...shown, ...rest].map((line) => `  ${line}`)].flatMap((line) => indented(line, 4, width))
}

function sessionText({ id, model, state, rounds, contextUsed, contextSize, spent }: SessionStory): string {
  const agent = model === null ? '' : ` with ${model}`
  const context =
    contextUsed === null || contextSize === null
      ? ''
      : `, context ${Math.round((contextUsed / contextSize) * 100)} % of ${grouped(contextSize)}`
  const worked = `${counted(rounds, 'round')}, ${counted(spent.turns, 'turn')}`
  return `session ${id.slice(0, 8)}${agent}: ${state}, ${worked}${context}`
}
