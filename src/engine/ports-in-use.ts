import type { Activities } from '../ports/activities.ts'
import type { AgentDriver } from '../ports/agent-driver.ts'
import type { AgentTools } from '../ports/agent-tools.ts'
import type { Clock } from '../ports/clock.ts'
import type { Gate } from '../ports/gate.ts'
import type { Judge } from '../ports/judge.ts'
import type { KnowledgePage } from '../ports/knowledge-page.ts'
import type { Landing } from '../ports/landing.ts'
import type { Lane } from '../ports/lane.ts'
import type { Store } from '../ports/store.ts'
import type { Transcripts } from '../ports/transcripts.ts'
import type { Workspaces } from '../ports/workspaces.ts'

/** The adapters an engine works with. */
export interface PortsInUse {
  readonly store: Store
  readonly clock: Clock
  readonly workspaces: Workspaces
  readonly landing: Landing
  readonly gate: Gate
  readonly lane: Lane
  readonly transcripts: Transcripts
  readonly activities: Activities
  readonly agentTools: AgentTools
  /** The judge of a name, or null when there is none. */
  judge(name: string): Judge | null
  readonly knowledgePage: KnowledgePage
  /** The driver of a name, or null when there is none. */
  driver(name: string): AgentDriver | null
}
