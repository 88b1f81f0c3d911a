import type { ParseShell } from '../core/definitions/shell-command.ts'
import type { Protection } from '../core/model/protection.ts'
import type { Activities } from './activities.ts'
import type { AgentDriver } from './agent-driver.ts'
import type { AgentTools } from './agent-tools.ts'
import type { Clock } from './clock.ts'
import type { Gate } from './gate.ts'
import type { Judge } from './judge.ts'
import type { KnowledgePage } from './knowledge-page.ts'
import type { Landing } from './landing.ts'
import type { Lane } from './lane.ts'
import type { Store } from './store.ts'
import type { Transcripts } from './transcripts.ts'
import type { Workspaces } from './workspaces.ts'

/** Adapters that an engine works with. */
export interface EnginePorts {
  readonly store: Store
  readonly clock: Clock
  readonly workspaces: Workspaces
  readonly landing: Landing
  readonly gate: Gate
  readonly parseShell: ParseShell
  readonly lane: Lane
  readonly transcripts: Transcripts
  readonly activities: Activities
  readonly agentTools: AgentTools
  /** Returns the judge of a name, or null when there is none. */
  judge(name: string): Judge | null
  readonly knowledgePage: KnowledgePage
  /** Sandbox that agents and checks run in. */
  readonly protection: Protection
  /** Returns the driver of a name, or null when there is none. */
  driver(name: string): AgentDriver | null
}
