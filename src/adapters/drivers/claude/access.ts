import { sep } from 'node:path'
import type { AgentSettings } from '../../../core/model/settings.ts'
import { leadsInside, realPlace } from './inside.ts'

/** Who wants to use tools, and where. */
export interface ToolScope {
  readonly agent: Pick<AgentSettings, 'access' | 'mcp' | 'subagents'>
  readonly folder: string
  readonly session: string
}

type ToolInput = Readonly<Record<string, unknown>>

/** Why a tool may not be used so, for the agent to read; null: it may. */
export function refusal({ agent, folder, session }: ToolScope, tool: string, input: ToolInput): string | null {
  if (agent.access === 'full') return null
  const kind = kindOf(tool, agent)
  if (kind === 'unknown') return `${tool} is not among the tools that you may use here. Go on without it.`
  if (kind === 'free') return null
  if (kind === 'acts' || kind === 'writes') {
    if (agent.access === 'read-only') return `You may only read here, so ${tool} is not allowed.`
    if (kind === 'acts') return null
  }
  const outside = pathsIn(tool, input).find((path) => !isAllowed(path, folder, kind === 'reads' ? session : null))
  return outside === undefined ? null : `${outside} is outside of your folder ${folder}. Work only inside of it.`
}

/** The tools that the agent does not even get to see. */
export function hiddenTools({ access, subagents, tools }: AgentSettings): readonly string[] {
  const unwanted = access === 'read-only' ? [...WRITES, ...ACTS] : []
  return [...FOR_PEOPLE, ...unwanted, ...(subagents === 0 ? SUBAGENTS : []), ...tools.deny]
}

/** The tools that the agent starts with; null: its own choice. */
export function shownTools({ access, tools }: AgentSettings): readonly string[] | null {
  // By its own choice an agent searches with Bash, which a reader does not have.
  return tools.allow ?? (access === 'read-only' ? [...READS, ...FREE, ...SUBAGENTS] : null)
}

/** The tool by which Claude Code takes the last answer of an agent that is given a form. */
export const FORM_TOOL = 'StructuredOutput'

/** The name under which an agent finds our own tools. */
export const OWN_SERVER = 'longhaul'

const READS = ['Read', 'Glob', 'Grep', 'LS', 'NotebookRead']
const WRITES = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit']
const ACTS = ['Bash', 'BashOutput', 'KillShell', 'KillBash', 'Monitor', 'TaskStop', 'TaskOutput']
const SUBAGENTS = ['Agent', 'Task']
const FREE = [
  'WebFetch',
  'WebSearch',
  'TodoWrite',
  'ToolSearch',
  'Skill',
  'LSP',
  'TaskCreate',
  'TaskUpdate',
  'TaskList',
  'TaskGet',
]
// Nobody is there to answer, to be told later, or to be given another folder.
const FOR_PEOPLE = [
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
  'EnterWorktree',
  'ExitWorktree',
  'SendMessage',
  'ListAgents',
  'CronCreate',
  'CronDelete',
  'CronList',
  'ScheduleWakeup',
  'Workflow',
  'RemoteTrigger',
  'PushNotification',
]

type ToolKind = 'reads' | 'writes' | 'acts' | 'free' | 'unknown'

function kindOf(tool: string, { mcp, subagents }: ToolScope['agent']): ToolKind {
  if (READS.includes(tool)) return 'reads'
  if (WRITES.includes(tool)) return 'writes'
  if (ACTS.includes(tool)) return 'acts'
  if (SUBAGENTS.includes(tool)) return subagents > 0 ? 'free' : 'unknown'
  return FREE.includes(tool) || tool === FORM_TOOL || isOurMcp(tool, mcp) ? 'free' : 'unknown'
}

function isOurMcp(tool: string, mcp: AgentSettings['mcp']): boolean {
  return [OWN_SERVER, ...Object.keys(mcp)].some((server) => tool.startsWith(`mcp__${server}__`))
}

function pathsIn(tool: string, input: ToolInput): readonly string[] {
  const named = [input.file_path, input.notebook_path, input.path].filter((path) => typeof path === 'string')
  const pattern = tool === 'Glob' && typeof input.pattern === 'string' ? [fixedPart(input.pattern)] : []
  return [...named, ...pattern]
}

/** The folder that a pattern starts from: what stands before its first wildcard. */
function fixedPart(pattern: string): string {
  const wild = pattern.search(/[*?[{]/)
  return wild < 0 ? pattern : pattern.slice(0, wild)
}

function isAllowed(path: string, folder: string, readerOf: string | null): boolean {
  if (path.startsWith('~')) return false
  if (leadsInside(path, folder)) return true
  // The agent keeps long results of tools for itself, in folders that are named after its session.
  return readerOf !== null && realPlace(path).split(sep).includes(readerOf)
}
