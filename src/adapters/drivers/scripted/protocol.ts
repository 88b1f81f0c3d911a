import { z } from 'zod'
import type { HandOverMoment } from '../../../core/model/round.ts'
import { AGENT_ENDS } from '../../../core/model/round.ts'
import type { ScriptStep } from './step.ts'

/** First line of JSON on the agent's stdin; commands follow, a line each. */
export interface AgentOrder {
  readonly task: string
  readonly title: string
  readonly attempt: number
  readonly phase: string
  readonly phaseRound: number
  readonly round: number
  readonly session: string
  readonly model: string
  readonly access: 'workspace' | 'read-only' | 'full'
  readonly prompt: string
  readonly steps: readonly ScriptStep[]
}

/** Line on the agent's stdin while it works. */
export type AgentCommand =
  | { readonly type: 'hand-over'; readonly when: HandOverMoment }
  | { readonly type: 'say'; readonly text: string }

/** Line of the agent's stdout: first `init`, last `result`; without a result it has crashed. */
export type AgentLine = z.infer<typeof agentLine>

/** Parses a line, or returns null when it is not part of the protocol. */
export function parseAgentLine(text: string): AgentLine | null {
  try {
    return agentLine.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null // not JSON: another program wrote to the agent's stdout
  }
}

const count = z.int().nonnegative()
const claim = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done') }),
  z.object({ kind: z.literal('continue') }),
  z.object({ kind: z.literal('blocked'), reason: z.string() }),
])

const agentLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('init'), session: z.string(), model: z.string() }),
  z.object({ type: z.literal('say'), text: z.string() }),
  /** Start of a tool; `tool-ended` follows. */
  z.object({ type: z.literal('tool'), name: z.string(), input: z.string() }),
  z.object({ type: z.literal('tool-output'), text: z.string() }),
  z.object({ type: z.literal('tool-ended'), note: z.string() }),
  z.object({ type: z.literal('waiting'), ms: z.number() }),
  /** Model call with a unique id. */
  z.object({
    type: z.literal('usage'),
    message: z.string(),
    tokens: z.object({ input: count, cacheRead: count, cacheWrite: count, output: count }),
    window: count.nullable(),
  }),
  z.object({
    type: z.literal('result'),
    kind: z.enum(AGENT_ENDS),
    detail: z.string(),
    claim: claim.nullable(),
    resetAt: z.number().nullable(),
    note: z.string().nullable(),
    /** Last text of the agent. */
    answer: z.string().nullable().default(null),
  }),
])
