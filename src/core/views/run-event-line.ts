import type { PersonWait, WaitFor } from '../model/attempt.ts'
import type { Proposal } from '../model/proposal.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { Settings } from '../model/settings.ts'
import { landingName } from '../run/queues.ts'
import {
  bookkeeping,
  counted,
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
import { answerText } from './round-text.ts'

/** Renders a fact of a run's ledger as one line. */
export function runEventLine(event: RunEvent, formatTime: FormatTime): EventLine {
  switch (event.kind) {
    case 'run-opened':
      return line('', `run ${event.run} opened; work lands on ${event.target}`)
    case 'engine-started':
      return line('', `engine started (pid ${event.pid}${sandboxWord(event)})`)
    case 'settings-adopted':
    case 'settings-rejected':
      return settingsLine(event)
    case 'milestone-added':
    case 'milestone-changed':
      return detail('', milestoneText(event))
    case 'milestone-summarized':
      return line('', summaryText(event))
    case 'task-added':
    case 'task-changed':
    case 'task-carried-over':
    case 'task-recovered':
      return detail(event.task.id, backlogText(event))
    case 'limit-hit': {
      const until = `${event.estimated ? 'about ' : ''}${formatTime(event.until)}`
      return line('', `usage limit of ${event.credential} reached; its attempts are parked until ${until}`, 'warn')
    }
    case 'limit-cleared':
      return line('', `usage limit of ${event.credential} lifted: ${event.reason}`)
    case 'budget-crossed': {
      const share = `${Math.round(event.share * 100)}% of the ${event.budget} budget spent`
      return line(event.task ?? '', `${share}: ${dollars(event.usd)} of ${dollars(event.limitUsd)}`, 'warn')
    }
    case 'run-ended':
      return line('', `run ended: ${event.reason}`, event.failed === 0 ? 'good' : 'bad')
    case 'run-reopened':
      return line('', `run reopened: ${event.reason}`)
    case 'run-paused':
      return line('', `run paused (${event.reason}): running rounds finish, nothing new starts`, 'warn')
    case 'run-resumed':
      return line('', `run resumed (${event.reason})`)
    case 'task-skipped':
    case 'task-steered':
    case 'task-held':
    case 'task-failed':
    case 'task-reopened':
      return taskLine(event)
    case 'task-proposed':
      return line(event.attempt, `proposes task ${proposalText(event.proposal)}`, 'warn')
    case 'proposal-accepted':
      return line(event.task, `proposed task accepted ${oneLine(event.reason)}`, 'good')
    case 'proposal-declined':
      return line(event.task, `proposed task declined ${oneLine(event.reason)}`)
    case 'knowledge-recorded':
      return line(event.attempt, `learned: ${oneLine(event.knowledge.text)}`)
    case 'verify-already-green':
      return bookkeeping(event.task, `${counted(event.commands.length, 'verify command')} passed before any work`)
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

type TaskFact = Extract<
  RunEvent,
  { kind: 'task-skipped' | 'task-steered' | 'task-held' | 'task-failed' | 'task-reopened' }
>

function taskLine(event: TaskFact): EventLine {
  switch (event.kind) {
    case 'task-skipped':
      return line(event.task, skippedText(event.reason, event.dependents), 'warn')
    case 'task-steered':
      return line(event.task, `your message: ${oneLine(event.text)}`)
    case 'task-held':
      return line(event.task, `needs you: ${sentence(event.reason)} ${event.hint}`, 'warn')
    case 'task-failed':
      return line(event.task, `failed: ${oneLine(event.reason)}`, 'bad')
    case 'task-reopened':
      return line(event.task, `reopened: ${event.reason}`)
  }
}

type AttemptFact = Extract<RunEvent, { kind: `attempt-${string}` }>

function attemptLine(event: AttemptFact, formatTime: FormatTime): EventLine {
  const { attempt } = event
  switch (event.kind) {
    case 'attempt-started':
      return line(attempt, `started in ${oneLine(event.reason)}`)
    case 'attempt-waiting':
      return line(attempt, waitText(event.for, event.reason, formatTime), 'warn')
    case 'attempt-answered':
      return line(attempt, answerText(event.answer))
    case 'attempt-resumed':
      return line(attempt, `resumed: ${oneLine(event.reason)}`)
    case 'attempt-ready':
      return detail(attempt, `queued to land ${short(event.commit)}`)
    case 'attempt-stopping':
      return line(attempt, `stopping: ${oneLine(event.reason)}`, 'warn')
    case 'attempt-notified':
      return bookkeeping(attempt, `received message ${event.id}`)
    case 'attempt-ended': {
      if (event.outcome === 'landed') return bookkeeping(attempt, `ended: ${oneLine(event.reason)}`)
      return line(attempt, `${event.outcome}: ${oneLine(event.reason)}`, 'warn')
    }
  }
}

type LandingFact = Exclude<
  RunEvent,
  | AttemptFact
  | { kind: `run-${string}` | `task-${string}` | `proposal-${string}` | `limit-${string}` | `milestone-${string}` }
  | {
      kind:
        | 'budget-crossed'
        | 'engine-started'
        | 'knowledge-recorded'
        | 'settings-adopted'
        | 'settings-rejected'
        | 'verify-already-green'
    }
>

function sandboxWord({ protection }: Extract<RunEvent, { kind: 'engine-started' }>): string {
  if (protection === undefined) return ''
  return protection.kind === 'none' ? ', NOT SANDBOXED' : `, sandbox ${protection.level}`
}

function landingLine(event: LandingFact): EventLine {
  switch (event.kind) {
    case 'line-opened':
      return detail('', `landing line is at ${short(event.line)}`)
    case 'baseline-checked':
      return event.passed
        ? line('', `baseline checks passed on ${short(event.commit)}`)
        : line('', `baseline checks FAILED on ${short(event.commit)}: ${firstFinding(event.findings)}`, 'bad')
    case 'candidate-prepared':
      return detail(
        landingName(event.landing),
        `candidate ${short(event.commit)} built on the landing line at ${short(event.line)}`,
      )
    case 'candidate-checked':
      return detail(
        landingName(event.landing),
        `candidate ${short(event.commit)} passed its checks: ${checkedText(event.receipts)}`,
      )
    case 'candidate-refused':
      return refusedLine(event)
    case 'landed':
      return line(event.tasks.join(', '), `landed as ${short(event.commit)}; proof: ${proofOf(event.receipts)}`, 'good')
    case 'landing-held':
      return line('', `landing is on hold: ${sentence(event.reason)} ${event.hint}`, 'bad')
    case 'target-followed':
      return detail('', `target branch updated to ${short(event.commit)}`)
    case 'target-held': {
      const command = event.command === null ? '' : ` To update it: ${event.command}`
      return line('', `target branch not updated: ${sentence(event.reason)}${command}`, 'warn')
    }
    case 'sync-requested':
      return line('', `merging your new commits with the landed work: ${oneLine(event.reason)}`)
    case 'synced':
      return line('', `your new commits are on the landing line: ${short(event.commit)}`)
    case 'revert-requested':
      return line(event.task, `revert queued: ${event.reason}`)
    case 'reverted':
      return line(event.task, `reverted by ${short(event.commit)}; proof: ${proofOf(event.receipts)}`, 'good')
    case 'revert-refused':
      return line(event.task, `was not reverted: ${oneLine(event.reason)}`, 'bad')
  }
}

function refusedLine({ landing, cause, findings }: Extract<RunEvent, { kind: 'candidate-refused' }>): EventLine {
  const name = landingName(landing)
  if (cause === 'stale') return detail(name, 'landing line has moved; rebuilding the candidate')
  // The event that follows says why a revert was refused.
  if (name !== landing) return detail(name, `revert refused (${cause})`)
  return line(landing, `did not land (${cause}): ${firstFinding(findings)}`, 'warn')
}

function waitText(wait: WaitFor, reason: string, formatTime: FormatTime): string {
  switch (wait.kind) {
    case 'limit':
      return `parked until ${wait.estimated ? 'about ' : ''}${formatTime(wait.until)}: ${oneLine(reason)}`
    case 'retry':
      return `retries at ${formatTime(wait.until)} after an error: ${oneLine(reason)}`
    case 'person':
      return `${needsText(wait)} ${wait.hint}`
    case 'pause':
      return 'waiting: the run is paused'
  }
}

function needsText({ asks, question }: PersonWait): string {
  const text = sentence(question)
  if (asks === 'answer') return text.startsWith('asks: ') ? text : `asks: ${text}`
  return `${asks === 'approval' ? 'needs your approval' : 'needs you'}: ${text}`
}

function milestoneText(event: Extract<RunEvent, { kind: 'milestone-added' | 'milestone-changed' }>): string {
  const { id, title } = event.milestone
  return `milestone ${id} ${event.kind === 'milestone-added' ? 'added' : 'changed'}: ${title}`
}

function summaryText({ milestone, by, why, totals }: Extract<RunEvent, { kind: 'milestone-summarized' }>): string {
  const author = by === 'judge' ? 'by the judge' : 'from recorded facts'
  const cost = totals.usd === 0 ? '' : `; ${dollars(totals.usd)}`
  return `milestone ${milestone} finished; summarized ${author}: ${oneLine(why)}${cost}`
}

function proposalText({ id, title }: Proposal): string {
  return `${id} (needs your decision): ${oneLine(title)}`
}

function backlogText(
  event: Extract<RunEvent, { kind: 'task-added' | 'task-changed' | 'task-carried-over' | 'task-recovered' }>,
): string {
  const { title, after } = event.task
  if (event.kind === 'task-carried-over') return `carried over from run ${event.run}: ${title}`
  if (event.kind === 'task-recovered')
    return `recovered from git as landed in ${event.commit.slice(0, 10)}, without proof: ${title}`
  const dependencies = after.length === 0 ? '' : ` (after ${after.join(', ')})`
  return `${event.kind === 'task-added' ? 'added' : 'changed'}: ${title}${dependencies}`
}

function skippedText(reason: string, dependents: readonly string[]): string {
  if (dependents.length === 0) return reason
  return `${reason}; these continue without its work: ${dependents.join(', ')}`
}

function settingsLine(event: Extract<RunEvent, { kind: `settings-${string}` }>): EventLine {
  if (event.kind === 'settings-rejected') {
    const text = `changed settings were not adopted, the previous ones stay in force: ${oneLine(event.reason)}`
    return line('', text, 'bad')
  }
  const { values, changed, fixed } = event
  if (changed.length === 0) return detail('', `settings loaded: ${settingsText(values)}`)
  const kept = fixed.length === 0 ? '' : `; ${fixed.join(', ')} cannot change within a run and stays as it was`
  return line('', `settings changed: ${changed.join(', ')}${kept}`, fixed.length === 0 ? 'plain' : 'warn')
}

function settingsText({ agent, limits, gates }: Settings): string {
  const checks = gates === null || gates.length === 0 ? 'none' : gates.map(({ name }) => name).join(', ')
  return `driver ${agent.driver}, ${limits.parallel} in parallel, checks: ${checks}`
}
