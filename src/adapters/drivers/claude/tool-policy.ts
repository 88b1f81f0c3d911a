import { sep } from 'node:path'
import type { AgentSettings } from '../../../core/model/settings.ts'
import { isInsideFolder, resolveLinks } from './inside-folder.ts'

/** Agent whose tool calls are checked, with its folder and session. */
export interface ToolScope {
  readonly agent: Pick<AgentSettings, 'access' | 'mcp' | 'subagents'>
  readonly folder: string
  readonly session: string
}

type ToolInput = Readonly<Record<string, unknown>>

/** Returns why a tool call is refused, for the agent to read, or null when it is allowed. */
export function toolRefusal({ agent, folder, session }: ToolScope, tool: string, input: ToolInput): string | null {
  if (agent.access === 'full') return null
  const kind = kindOf(tool, agent)
  if (kind === 'unknown') return `${tool} is not one of the tools that you may use here. Continue without it.`
  if (kind === 'free') return null
  if (kind === 'acts' || kind === 'writes') {
    if (agent.access === 'read-only') return `You may only read here, so ${tool} is not allowed.`
    if (kind === 'acts') return null
  }
  const outside = pathsIn(tool, input).find((path) => !isAllowed(path, folder, kind === 'reads' ? session : null))
  return outside === undefined ? null : `${outside} is outside your folder ${folder}. Work only inside it.`
}

/** Returns the tools that are hidden from the agent. */
export function hiddenTools({ access, subagents, tools }: AgentSettings): readonly string[] {
  const forbidden = access === 'read-only' ? [...WRITES, ...ACTS] : []
  return [...FOR_PEOPLE, ...forbidden, ...(subagents === 0 ? SUBAGENTS : []), ...tools.deny]
}

/** Returns the tools that the agent starts with, or null for its default set. */
export function shownTools({ access, tools }: AgentSettings): readonly string[] | null {
  // The default set searches with Bash, which read-only agents do not have.
  return tools.allow ?? (access === 'read-only' ? [...READS, ...FREE, ...SUBAGENTS] : null)
}

/** Tool with which Claude Code takes an answer in a form. */
export const FORM_TOOL = 'StructuredOutput'

/** Name of the MCP server with Longhaul's tools. */
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
// Tools that need a person, a later time or another folder.
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
  return FREE.includes(tool) || tool === FORM_TOOL || isConfiguredMcp(tool, mcp) ? 'free' : 'unknown'
}

function isConfiguredMcp(tool: string, mcp: AgentSettings['mcp']): boolean {
  return [OWN_SERVER, ...Object.keys(mcp)].some((server) => tool.startsWith(`mcp__${server}__`))
}

function pathsIn(tool: string, input: ToolInput): readonly string[] {
  const named = [input.file_path, input.notebook_path, input.path].filter((path) => typeof path === 'string')
  const pattern = tool === 'Glob' && typeof input.pattern === 'string' ? [fixedPart(input.pattern)] : []
  return [...named, ...pattern]
}

/** Returns the part of a pattern before its first wildcard. */
function fixedPart(pattern: string): string {
  const wild = pattern.search(/[*?[{]/)
  return wild < 0 ? pattern : pattern.slice(0, wild)
}

function isAllowed(path: string, folder: string, readerOf: string | null): boolean {
  if (path.startsWith('~')) return false
  if (isInsideFolder(path, folder)) return true
  // Claude Code saves long tool results in folders named after the session.
  return readerOf !== null && resolveLinks(path).split(sep).includes(readerOf)
}
