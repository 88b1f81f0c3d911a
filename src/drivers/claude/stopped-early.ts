import type { Problem } from '../../core/model/problem.ts'
import type { RoundEnd } from '../../core/model/round.ts'
import type { Survivor } from '../../process/end-tree.ts'
import type { ProgramEnded } from '../../process/launch.ts'
import { endedAs } from './round-end.ts'

/** The end of a round that we stopped. */
export function stopped(why: 'cancelled' | 'timeout'): RoundEnd {
  return endedAs(why, why === 'timeout' ? 'The round ran out of time.' : 'The round was cancelled.')
}

/** The end of a round that could not begin as it is set up. */
export function unfit({ code, message, hint }: Problem): RoundEnd {
  const kind = code === 'agent-signed-out' ? 'auth' : 'config'
  return endedAs(kind, `${message.split('\n', 1).join()} ${hint}`)
}

/** The end of a round whose agent was gone before it told a result. */
export function crashed(exit: ProgramEnded | null, stderr: string): RoundEnd {
  const said = stderr.trim().slice(-STDERR_TOLD_MAX).replaceAll(/\s+/g, ' ')
  const how = exit === null ? 'how it ended is not known' : (exit.signal ?? `exit code ${exit.exitCode}`)
  return endedAs('crashed', `The agent ended without a result: ${how}${said === '' ? '' : `, stderr: ${said}`}`)
}

/** The end with the processes named that would not go. */
export function withSurvivors(end: RoundEnd, survivors: readonly Survivor[]): RoundEnd {
  if (survivors.length === 0) return end
  const names = survivors.map(({ pid, name }) => `${name} (${pid})`).join(', ')
  return { ...end, detail: `${end.detail} These processes could not be ended: ${names}.` }
}

/** Whether the agent would not open a session as asked: it has it already, or has it not. */
export function refusesOpening(said: string): boolean {
  return /Session ID \S+ is already in use|No conversation found with session ID/.test(said)
}

const STDERR_TOLD_MAX = 500
