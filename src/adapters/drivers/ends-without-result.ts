import type { Problem } from '../../core/model/problem.ts'
import type { AgentEndKind, RoundEnd } from '../../core/model/round.ts'
import type { Survivor } from '../../process/end-tree.ts'
import type { ProgramEnded } from '../../process/launch.ts'

/** The end of a round in which the agent could say nothing of its work. */
export function ended(kind: AgentEndKind, detail: string, resetAt: number | null = null): RoundEnd {
  return { kind, detail, claim: null, resetAt, note: null }
}

/** The end of a round that we stopped. */
export function stopped(why: 'cancelled' | 'timeout'): RoundEnd {
  return ended(why, why === 'timeout' ? 'The round ran out of time.' : 'The round was cancelled.')
}

/** The end of a round that could not begin as it is set up. */
export function unfit({ code, message, hint }: Problem): RoundEnd {
  return ended(code === 'agent-signed-out' ? 'auth' : 'config', `${message.split('\n', 1).join()} ${hint}`)
}

/** The end of a round whose agent was gone before it told a result. */
export function crashed(exit: ProgramEnded | null, stderr: string): RoundEnd {
  const said = stderr.trim().slice(-STDERR_TOLD_MAX).replaceAll(/\s+/g, ' ')
  return ended(
    'crashed',
    `The agent ended without a result: ${exitText(exit)}${said === '' ? '' : `, stderr: ${said}`}`,
  )
}

/** The end with the processes named that would not go. */
export function withSurvivors(end: RoundEnd, survivors: readonly Survivor[]): RoundEnd {
  if (survivors.length === 0) return end
  const names = survivors.map(({ pid, name }) => `${name} (${pid})`).join(', ')
  return { ...end, detail: `${end.detail} These processes could not be ended: ${names}.` }
}

const STDERR_TOLD_MAX = 500
// Under bwrap, and in every shell, a signal reads as an exit code above this.
const SIGNAL_EXIT = 128

function exitText(exit: ProgramEnded | null): string {
  if (exit === null) return 'how it ended is not known'
  if (exit.signal !== null) return `ended by ${exit.signal}`
  const { exitCode } = exit
  return exitCode !== null && exitCode > SIGNAL_EXIT
    ? `exit code ${exitCode} (signal ${exitCode - SIGNAL_EXIT})`
    : `exit code ${exitCode}`
}
