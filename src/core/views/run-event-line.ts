import type { WaitFor } from '../model/attempt.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { Settings } from '../model/settings.ts'
import { answerText } from './attempt-event-line.ts'
import {
  detail,
  dollars,
  type EventLine,
  type FormatTime,
  firstFinding,
  line,
  oneLine,
  sentence,
  short,
} from './line-parts.ts'
import { checkedText, proofOf } from './proof.ts'

/** Puts a fact of a run's ledger into words. */
export function runEventLine(event: RunEvent, formatTime: FormatTime): EventLine {
  switch (event.kind) {
    case 'run-opened':
      return line('', `run ${event.run} was opened; work lands on ${event.target}`)
    case 'engine-started':
      return line('', `an engine took the run up (pid ${event.pid})`)
    case 'settings-adopted':
      return detail('', `settings adopted: ${settingsText(event.values)}`)
    case 'milestone-added':
    case 'milestone-changed': {
      const { id, title } = event.milestone
      return detail('', `milestone ${id} was ${event.kind === 'milestone-added' ? 'added' : 'changed'}: ${title}`)
    }
    case 'milestone-summarized':
      return line('', summedUpText(event))
    case 'task-added':
    case 'task-changed': {
      const { id, title, after } = event.task
      const waits = after.length === 0 ? '' : ` (after ${after.join(', ')})`
      return detail(id, `${event.kind === 'task-added' ? 'added' : 'changed'}: ${title}${waits}`)
    }
    case 'limit-hit': {
      const until = `${event.estimated ? 'about ' : ''}${formatTime(event.until)}`
      return line('', `usage limit of ${event.credential}: its work is parked until ${until}`, 'warn')
    }
    case 'limit-cleared':
      return line('', `usage limit of ${event.credential} is over: ${event.reason}`)
    case 'budget-crossed': {
      const share = `${Math.round(event.share * 100)} % of the ${event.budget}'s budget`
      return line(event.task ?? '', `${share} is spent: ${dollars(event.usd)} of ${dollars(event.limitUsd)}`, 'warn')
    }
    case 'run-ended':
      return line('', `the run has ended: ${event.reason}`, event.failed === 0 ? 'good' : 'bad')
    case 'run-reopened':
      return line('', `the run is open again: ${event.reason}`)
    case 'run-paused':
      return line('', `the run is paused, ${event.reason}: rounds end by themselves, and nothing new starts`, 'warn')
    case 'run-resumed':
      return line('', `the run goes on, ${event.reason}`)
    case 'task-skipped':
      return line(event.task, skippedText(event.reason, event.dependents), 'warn')
    case 'task-steered':
      return line(event.task, `a person says: ${oneLine(event.text)}`)
    case 'task-held':
      return line(event.task, `needs a person: ${sentence(event.reason)} ${event.hint}`, 'warn')
    case 'task-failed':
      return line(event.task, `failed: ${oneLine(event.reason)}`, 'bad')
    case 'task-reopened':
      return line(event.task, `open again: ${event.reason}`)
    case 'task-proposed':
    case 'proposal-accepted':
    case 'proposal-declined':
    case 'knowledge-recorded':
      return saidLine(event)
    case 'attempt-started':
    case 'attempt-waiting':
    case 'attempt-answered':
    case 'attempt-resumed':
    case 'attempt-ready':
    case 'attempt-stopping':
    case 'attempt-notified':
    case 'attempt-ended':
      return attemptLine(event, formatTime)
    default:
      return landingLine(event)
  }
}

type SaidFact = Extract<
  RunEvent,
  { kind: 'task-proposed' | 'proposal-accepted' | 'proposal-declined' | 'knowledge-recorded' }
>

function saidLine(event: SaidFact): EventLine {
  switch (event.kind) {
    case 'task-proposed': {
      const { id, title } = event.proposal
      return line(event.attempt, `proposes the task ${id}, a person decides: ${oneLine(title)}`, 'warn')
    }
    case 'proposal-accepted':
      return line(event.task, `the proposed task is accepted, ${oneLine(event.reason)}`, 'good')
    case 'proposal-declined':
      return line(event.task, `the proposed task is declined, ${oneLine(event.reason)}`)
    case 'knowledge-recorded':
      return line(event.attempt, `learned: ${oneLine(event.knowledge.text)}`)
  }
}

type AttemptFact = Extract<RunEvent, { kind: `attempt-${string}` }>

function attemptLine(event: AttemptFact, formatTime: FormatTime): EventLine {
  const { attempt } = event
  switch (event.kind) {
    case 'attempt-started':
      return line(attempt, `started: ${oneLine(event.reason)}`)
    case 'attempt-waiting':
      return line(attempt, waitText(event.for, event.reason, formatTime), 'warn')
    case 'attempt-answered':
      return line(attempt, `a person ${answerText(event.answer)}`)
    case 'attempt-resumed':
      return line(attempt, `goes on: ${oneLine(event.reason)}`)
    case 'attempt-ready':
      return detail(attempt, `stands in line to land ${short(event.commit)}`)
    case 'attempt-stopping':
      return line(attempt, `is being stopped: ${oneLine(event.reason)}`, 'warn')
    case 'attempt-notified':
      return detail(attempt, `has been told ${event.id}`)
    case 'attempt-ended': {
      if (event.outcome === 'landed') return detail(attempt, `ended: ${oneLine(event.reason)}`)
      const verb = event.outcome === 'failed' ? 'failed' : 'was given up'
      return line(attempt, `${verb}: ${oneLine(event.reason)}`, 'warn')
    }
  }
}

type LandingFact = Exclude<
  RunEvent,
  | AttemptFact
  | { kind: `run-${string}` | `task-${string}` | `proposal-${string}` | `limit-${string}` | `milestone-${string}` }
  | OtherFact
>
type OtherFact = { kind: 'engine-started' | 'settings-adopted' | 'budget-crossed' | 'knowledge-recorded' }

function landingLine(event: LandingFact): EventLine {
  switch (event.kind) {
    case 'line-opened':
      return detail('', `the landing line stands at ${short(event.line)}`)
    case 'baseline-checked':
      return event.passed
        ? line('', `the checks pass on ${short(event.commit)}, before any work`)
        : line(
            '',
            `the checks are RED on ${short(event.commit)}, before any work: ${firstFinding(event.findings)}`,
            'bad',
          )
    case 'candidate-prepared':
      return detail(event.landing, `candidate ${short(event.commit)} was made on the line at ${short(event.line)}`)
    case 'candidate-checked':
      return detail(event.landing, `candidate ${short(event.commit)} was checked: ${checkedText(event.receipts)}`)
    case 'candidate-refused':
      return refusedLine(event)
    case 'landed':
      return line(event.tasks.join(', '), `landed as ${short(event.commit)}; proof: ${proofOf(event.receipts)}`, 'good')
    case 'landing-held':
      return line('', `landing is held: ${sentence(event.reason)} ${event.hint}`, 'bad')
    case 'target-followed':
      return detail('', `the target branch is at ${short(event.commit)}`)
    case 'target-held': {
      const command = event.command === null ? '' : ` To let it follow: ${event.command}`
      return line('', `the target branch stays behind: ${sentence(event.reason)}${command}`, 'warn')
    }
    case 'sync-requested':
      return line('', `your own new commits are brought together with what landed: ${oneLine(event.reason)}`)
    case 'synced':
      return line('', `your own new commits are on the landing line: ${short(event.commit)}`)
    case 'revert-requested':
      return line(event.task, `is to be reverted: ${event.reason}`)
    case 'reverted':
      return line(event.task, `reverted by ${short(event.commit)}; proof: ${proofOf(event.receipts)}`, 'good')
    case 'revert-refused':
      return line(event.task, `could not be reverted: ${oneLine(event.reason)}`, 'bad')
  }
}

function refusedLine({ landing, cause, findings }: Extract<RunEvent, { kind: 'candidate-refused' }>): EventLine {
  if (cause === 'stale') return detail(landing, 'the landing line has moved meanwhile; its candidate is made again')
  return line(landing, `did not land (${cause}): ${firstFinding(findings)}`, 'warn')
}

function waitText(wait: WaitFor, reason: string, formatTime: FormatTime): string {
  switch (wait.kind) {
    case 'limit':
      return `parked until ${wait.estimated ? 'about ' : ''}${formatTime(wait.until)}: ${oneLine(reason)}`
    case 'retry':
      return `waits until ${formatTime(wait.until)} after an error: ${oneLine(reason)}`
    case 'person':
      return `needs a person: ${sentence(wait.question)} ${wait.hint}`
    case 'pause':
      return 'waits: the run is paused'
  }
}

function summedUpText({ milestone, by, why, totals }: Extract<RunEvent, { kind: 'milestone-summarized' }>): string {
  const cost = totals.usd === 0 ? '' : `; ${dollars(totals.usd)}`
  return `milestone ${milestone} is over; summed up ${byText(by)}: ${oneLine(why)}${cost}`
}

function byText(by: 'judge' | 'facts'): string {
  return by === 'judge' ? 'by the judge' : 'from facts alone'
}

function skippedText(reason: string, dependents: readonly string[]): string {
  if (dependents.length === 0) return reason
  return `${reason}; without its work go on: ${dependents.join(', ')}`
}

function settingsText({ agent, limits, gates }: Settings): string {
  const checks = gates === null || gates.length === 0 ? 'none' : gates.map(({ name }) => name).join(', ')
  return `driver ${agent.driver}, ${limits.parallel} at once, checks: ${checks}`
}
