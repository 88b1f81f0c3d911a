import { durationText } from '../limits/duration-text.ts'
import type { UsageReport } from '../model/round.ts'
import type { SessionFact } from '../model/session-fact.ts'
import { counted, detail, dollars, type EventLine, grouped, line, oneLine } from './line-parts.ts'

/** Renders a fact about an agent session as one line. */
export function sessionEventLine(about: string, event: SessionFact): EventLine {
  switch (event.kind) {
    case 'session-opened':
      return detail(about, sessionText(event))
    case 'usage-observed':
      return detail(about, usageText(event.usage, event.usd))
    case 'context-warned':
      return line(about, `${sessionName(event.session)} is ${fullness(event)}`, 'warn')
    case 'context-untracked':
      return line(about, `agent reports no token usage, so its context is not tracked`, 'warn')
    case 'hand-off-started': {
      const when = event.when === 'now' ? 'now' : 'after its next step'
      return line(about, `${sessionName(event.session)} is ${fullness(event)}; handing off ${when}`, 'warn')
    }
    case 'session-handed-off':
      return line(about, `${sessionName(event.session)} handed off ${noteText(event)}`)
    case 'allowance-crossed': {
      const share = `${Math.round(event.share * 100)}% of its allowance spent`
      return line(
        about,
        `${share}: ${dollars(event.usd)} of ${dollars(event.limitUsd)} (${event.budget} budget)`,
        'warn',
      )
    }
    case 'session-quiet':
      return line(about, `no output from the agent for ${durationText(event.silentMs)} (${event.activity})`, 'warn')
    case 'tool-denied':
      return line(about, `${event.tool} was denied: ${oneLine(event.reason)}`, 'warn')
    case 'host-refused':
      return line(about, `${event.host} was refused: ${oneLine(event.why)}`, 'warn')
    case 'context-compacted':
      return line(about, `${sessionName(event.session)} compacted its own context (${event.trigger})`, 'warn')
    case 'cost-drifted':
      return line(
        about,
        `agent reports a cost of ${dollars(event.agentUsd)} for round ${event.round}, our price table says ${dollars(event.usd)}`,
        'warn',
      )
  }
}

function sessionText({ session, driver, model, cli }: Extract<SessionFact, { kind: 'session-opened' }>): string {
  return `${sessionName(session)} opened with ${driver}${cli === null ? '' : ` ${cli}`}, model ${model}`
}

function sessionName(session: string): string {
  return `session ${session.slice(0, 8)}`
}

function fullness({ share, used, size }: { share: number; used: number; size: number }): string {
  return `${Math.round(share * 100)}% full (${grouped(used)} of ${grouped(size)} tokens)`
}

function noteText({ quality, totals }: Extract<SessionFact, { kind: 'session-handed-off' }>): string {
  const note = { whole: 'with a note', partial: 'with an incomplete note', none: 'without a note' }[quality]
  return `${note} after ${counted(totals.turns, 'turn')} and ${dollars(totals.usd)}`
}

function usageText({ tokens, model, scope }: UsageReport, usd: number | null): string {
  const input = tokens.input + tokens.cacheRead + tokens.cacheWrite
  const price = usd === null ? `no price known for ${model}` : `${usd.toFixed(4)} USD`
  return `${scope === 'main' ? 'turn' : 'subagent turn'}: ${grouped(input)} tokens in (${grouped(tokens.cacheRead)} cached), ${grouped(tokens.output)} out; ${price}`
}
