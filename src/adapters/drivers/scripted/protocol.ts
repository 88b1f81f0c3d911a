import { z } from 'zod'
import type { HandOverMoment } from '../../../core/model/round.ts'
import { AGENT_ENDS } from '../../../core/model/round.ts'
import type { ScriptStep } from './step.ts'

/** What the agent is told first: one line of JSON on its stdin. Whatever is said to it later follows, a line each. */
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

/** What the agent may be told while it works. */
export type AgentWord =
  | { readonly type: 'hand-over'; readonly when: HandOverMoment }
  | { readonly type: 'say'; readonly text: string }

/** One line of the agent's stdout. First comes one `init`, last one `result`; without a result it has crashed. */
export type AgentLine = z.infer<typeof agentLine>

/** Reads a line; null for whatever is not of the protocol. */
export function parseAgentLine(text: string): AgentLine | null {
  try {
    return agentLine.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null // not JSON: some program wrote over the agent's output
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
  /** A tool starts; `tool-ended` follows. */
  z.object({ type: z.literal('tool'), name: z.string(), input: z.string() }),
  z.object({ type: z.literal('tool-output'), text: z.string() }),
  z.object({ type: z.literal('tool-ended'), note: z.string() }),
  z.object({ type: z.literal('waiting'), ms: z.number() }),
  /** One model call, under an id of its own. */
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
    /** What it said last. */
    answer: z.string().nullable().default(null),
  }),
])
