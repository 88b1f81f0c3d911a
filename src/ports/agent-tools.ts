import type { AttemptId } from '../core/model/ids.ts'
import type { Problem } from '../core/model/problem.ts'
import type { ToolAnswer, ToolCall, ToolName } from '../core/model/tool-call.ts'
import type { Listener } from '../process/start/listeners.ts'

/** Lets agents call Longhaul's tools while they work. */
export interface AgentTools {
  /** Grants the agent of one round access to these tools, and to nothing else. */
  grantAccess(round: AccessRequest): Promise<GrantedAccess | Problem>
}

export interface AccessRequest {
  readonly attempt: AttemptId
  readonly round: number
  /** Tools that the agent may call. */
  readonly tools: readonly ToolName[]
  /** Answers a call of the agent. */
  answer(call: ToolCall): Promise<ToolAnswer>
}

/** Address and token with which the agent of one round reaches its tools. */
export interface ToolAccess {
  /** MCP endpoint (streamable HTTP). */
  readonly url: string
  /** Bearer token of each request. */
  readonly token: string
  /** Answers at the endpoint's port inside the agent's sandbox; null when every process on this machine reaches it. */
  readonly listener: Listener | null
}

export interface GrantedAccess extends ToolAccess {
  /** Makes the token invalid. */
  revoke(): void
}
