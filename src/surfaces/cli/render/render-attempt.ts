import { durationText } from '../../../core/limits/duration-text.ts'
import { type Finding, findingText, type Receipt, SETUP } from '../../../core/model/verdict.ts'
import { lastLines } from '../../../core/reading/command-output.ts'
import { testedText } from '../../../core/test-output/tests-text.ts'
import { waitingFor } from '../../../core/views/attempt-event-line.ts'
import { counted, firstFinding, grouped, oneLine, short } from '../../../core/views/line-parts.ts'
import { checkedText } from '../../../core/views/proof.ts'
import { causeText, endText } from '../../../core/views/round-text.ts'
import type {
  AttemptStory,
  FoundStory,
  RoundStory,
  SessionStory,
  VerdictStory,
} from '../../../core/views/story/attempt-story.ts'
import type { Output } from '../output.ts'
import { indented, wrap } from './columns.ts'
import { spentText } from './spending.ts'
import { dateAndTime, timeFormatter } from './times.ts'

/** Options for printing a story. */
export interface StoryLook extends Pick<Output, 'colors' | 'width'> {
  readonly receipts: 'short' | 'whole'
  readonly notes: 'short' | 'whole'
}

/** Renders an attempt of a story: its agent, its steps in order, its sessions and its cost. */
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
  const took = endedAt === null ? '' : ` after ${durationText(Date.parse(endedAt) - Date.parse(startedAt))}`
  const now = reason === null ? 'running' : 'waiting'
  const state = outcome ?? now
  return `Attempt ${id}: ${state}${took}${reason === null ? '' : `: ${oneLine(reason)}`}`
}

interface Step {
  readonly at: string
  readonly text: string
  readonly tone: 'plain' | 'warn' | 'bad'
  /** Lines below the text. */
  readonly more?: readonly string[]
}

/** Renders the steps of an attempt in order; at the same moment, commits come first and the next round last. */
function stepsOf(attempt: AttemptStory, { colors, width, receipts }: StoryLook): readonly string[] {
  const steps: Step[] = [
    { at: attempt.startedAt, text: `started in ${oneLine(attempt.why)}`, tone: 'plain' },
    ...attempt.commits.map(({ at, commit, files }) =>
      plain(at, `saved as ${short(commit)}, ${counted(files, 'file')} changed since its base`),
    ),
    ...attempt.found.flatMap(setupStep),
    ...attempt.verdicts.map((verdict) => verdictStep(verdict, receipts)),
    ...attempt.waits.map(({ at, for: kind, reason }) => warn(at, `${waitingFor(kind)}: ${oneLine(reason)}`)),
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
  const took = endedAt === null ? '' : `, ${durationText(Date.parse(endedAt) - Date.parse(startedAt))}`
  const outcome = end === null ? 'running' : endText({ kind: end, detail: detail ?? '', claim })
  const text = `round ${round.round} of ${round.phase}, ${causeText(round.cause)}: ${outcome}; ${turns}${money}${took}`
  return { at: startedAt, text, tone: end === null || end === 'ok' ? 'plain' : 'warn' }
}

/** Renders the output of setup that failed in the workspace; in a checkout it is part of a verdict. */
function setupStep({ at, findings }: FoundStory): readonly Step[] {
  const more = setupOutput(findings)
  return more.length === 0 ? [] : [{ at, text: 'output of setup:', tone: 'bad', more }]
}

/** Returns the last lines of setup commands that failed. */
export function setupOutput(findings: readonly Finding[]): readonly string[] {
  return findings.flatMap(({ source, excerpt }) => (source === SETUP ? lastLines(excerpt) : []))
}

function verdictStep({ at, on, commit, passed, receipts, findings }: VerdictStory, look: 'short' | 'whole'): Step {
  const where = on === 'workspace' ? 'checked in its workspace' : 'checked as merged'
  const what = commit === null ? '' : ` at ${short(commit)}`
  const result = passed ? `passed (${checkedText(receipts)})` : firstFinding(findings)
  const others = findings.slice(1).map((finding) => `${finding.source}: ${oneLine(findingText(finding))}`)
  const more = [...others, ...setupOutput(findings), ...receipts.flatMap((receipt) => receiptLines(receipt, look, at))]
  return { at, text: `${where}${what}: ${result}`, tone: passed ? 'plain' : 'bad', more }
}

/** Renders a receipt on one line, or in full with the time of its verdict (`at`). */
export function receiptLines(receipt: Receipt, look: 'short' | 'whole', at: string): readonly string[] {
  const { gate, command, exitCode, timedOut, durationMs, tree, commit, outputDigest, environmentDigest } = receipt
  const code = timedOut ? 'timed out' : `exit code ${exitCode ?? 'unknown'}`
  const warns = receipt.passed || receipt.blocking ? '' : ' (only a warning)'
  const tested = testedText(receipt)
  const remarks = receiptRemarks(receipt)
  const result = [`${code}${warns}`, ...(tested === '' ? [] : [tested]), ...remarks, durationText(durationMs)].join(
    ', ',
  )
  if (look === 'short') return [`${gate}: ${command} → ${result}, tree ${tree.slice(0, 10)}`]
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

/** Renders why a failure does not count, and where a cached result comes from. */
function receiptRemarks({ excuse, cachedFrom }: Receipt): readonly string[] {
  return [
    ...(excuse === null ? [] : [`excused: ${excuse}`]),
    ...(cachedFrom === null ? [] : [`not run again, result of ${short(cachedFrom)}`]),
  ]
}

const NOTE_LINES_MAX = 6

/** Renders the hand-off note of a session, in full or its first lines. */
function noteLines({ note }: SessionStory, { notes, width }: StoryLook): readonly string[] {
  if (note === null) return []
  const lines = note.split('\n').filter((line) => notes === 'whole' || line.trim() !== '')
  const shown = notes === 'whole' ? lines : lines.slice(0, NOTE_LINES_MAX)
  const more = lines.length - shown.length
  const rest = more === 0 ? [] : [`… ${counted(more, 'more line')}: --notes`]
  return ['hand-off note:', ...[...shown, ...rest].map((line) => `  ${line}`)].flatMap((line) =>
    indented(line, 4, width),
  )
}

function sessionText({ id, model, state, rounds, contextUsed, contextSize, spent }: SessionStory): string {
  const agent = model === null ? '' : ` with ${model}`
  const context =
    contextUsed === null || contextSize === null
      ? ''
      : `, context ${Math.round((contextUsed / contextSize) * 100)}% of ${grouped(contextSize)}`
  const worked = `${counted(rounds, 'round')}, ${counted(spent.turns, 'turn')}`
  return `session ${id.slice(0, 8)}${agent}: ${state === 'handed-off' ? 'handed over' : state}, ${worked}${context}`
}
