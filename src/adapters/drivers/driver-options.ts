import type { RoundOrder } from '../../core/model/effect.ts'
import type { AttemptId } from '../../core/model/ids.ts'
import type { Problem } from '../../core/model/problem.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Sandbox } from '../../ports/sandbox.ts'

/** Environment in which a driver runs its agents. */
export interface DriverOptions {
  readonly clock: Clock
  readonly sandbox: Sandbox
  /** Returns the folder that records the running agents of an attempt. */
  readonly pidFolder: (attempt: AttemptId) => string
  /** Returns the folder for the transcripts of an attempt. */
  readonly transcriptFolder: (attempt: AttemptId) => string
  /** Environment variables of every agent; nothing else is inherited. */
  readonly environment: Readonly<Record<string, string>>
  /** Folder that relative script paths start from. */
  readonly scriptFolder: string
  /** Replaces `$NAME` in values with environment variables. */
  readonly resolveEnv: (env: Readonly<Record<string, string>>) => Readonly<Record<string, string>> | Problem
}

/** Returns the variables that describe the order to the agent and to everything it starts. */
export function orderVariables({ task, attempt, phase, round }: RoundOrder): Record<string, string> {
  return { LONGHAUL_TASK: task.id, LONGHAUL_ATTEMPT: attempt, LONGHAUL_PHASE: phase, LONGHAUL_ROUND: String(round) }
}
