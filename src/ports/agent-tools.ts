import type { AttemptId } from '../core/model/ids.ts'
import type { Problem } from '../core/model/problem.ts'
import type { ToolAnswer, ToolCall, ToolName } from '../core/model/tool-call.ts'

/** Lets agents call our tools while they work. */
export interface AgentTools {
  /** Lets the agent of one round in; nobody else can use what is given, and the agent can do no more than these tools do. */
  admit(round: RoundToAdmit): Promise<Admission | Problem>
}

export interface RoundToAdmit {
  readonly attempt: AttemptId
  readonly round: number
  /** What its agent may call. */
  readonly tools: readonly ToolName[]
  /** Takes each call, and says what the agent is told. */
  hear(call: ToolCall): Promise<ToolAnswer>
}

/** How the agent of one round reaches its tools. */
export interface ToolAccess {
  /** An MCP endpoint, by streamable HTTP. */
  readonly url: string
  /** To be sent as a bearer token with each request. */
  readonly token: string
}

export interface Admission extends ToolAccess {
  /** From now on the token is worth nothing. */
  revoke(): void
}
