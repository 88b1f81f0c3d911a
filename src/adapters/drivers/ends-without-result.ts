import type { Problem } from '../../core/model/problem.ts'
import type { AgentEndKind, RoundEnd } from '../../core/model/round.ts'
import type { Survivor } from '../../process/end/end-tree.ts'
import type { ProgramEnded } from '../../process/start/launch.ts'

/** Makes the end of a round without a claim or a note. */
export function roundEnd(kind: AgentEndKind, detail: string, resetAt: number | null = null): RoundEnd {
  return { kind, detail, claim: null, resetAt, note: null }
}

/** Returns the end of a round that was stopped. */
export function stoppedEnd(reason: 'cancelled' | 'timeout'): RoundEnd {
  return roundEnd(reason, reason === 'timeout' ? 'The round ran out of time.' : 'The round was cancelled.')
}

/** Returns the end of a round that a problem with the settings prevented. */
export function notReadyEnd({ code, message, hint }: Problem): RoundEnd {
  return roundEnd(code === 'agent-signed-out' ? 'auth' : 'config', `${message.split('\n', 1).join()} ${hint}`)
}

/** Returns the end of a round whose agent exited without a result. */
export function crashedEnd(exit: ProgramEnded | null, stderr: string): RoundEnd {
  const excerpt = stderr.trim().slice(-STDERR_LENGTH_MAX).replaceAll(/\s+/g, ' ')
  return roundEnd(
    'crashed',
    `The agent ended without a result: ${exitText(exit)}${excerpt === '' ? '' : `, stderr: ${excerpt}`}`,
  )
}

/** Adds the names of processes that could not be ended. */
export function withSurvivors(end: RoundEnd, survivors: readonly Survivor[]): RoundEnd {
  if (survivors.length === 0) return end
  const names = survivors.map(({ pid, name }) => `${name} (${pid})`).join(', ')
  return { ...end, detail: `${end.detail} These processes could not be ended: ${names}.` }
}

const STDERR_LENGTH_MAX = 500
// bwrap and shells report a signal as an exit code above this.
const SIGNAL_EXIT = 128

function exitText(exit: ProgramEnded | null): string {
  if (exit === null) return 'its exit code is not known'
  if (exit.signal !== null) return `ended by ${exit.signal}`
  const { exitCode } = exit
  return exitCode !== null && exitCode > SIGNAL_EXIT
    ? `exit code ${exitCode} (signal ${exitCode - SIGNAL_EXIT})`
    : `exit code ${exitCode}`
}
