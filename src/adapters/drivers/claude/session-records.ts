import { existsSync, realpathSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { AgentRecords } from '../../../ports/repository.ts'
import { type ModelCall, usageOf } from './usage-counter.ts'

/** Search for records of removed workspaces. */
export interface RecordSearch {
  /** Environment of agents. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Folder of the workspaces. */
  readonly home: string
  /** Workspaces that still exist. */
  readonly kept: readonly string[]
}

/** Picks the variables that decide where Claude Code keeps its files. */
export function agentHomes(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name === 'HOME' || name === 'CLAUDE_CONFIG_DIR'))
}

/** Finds records of workspaces that no longer exist; all other records belong to the user. */
export async function orphanRecords({ environment, home, kept }: RecordSearch): Promise<readonly AgentRecords[]> {
  const config = configFolder(environment)
  if (config === null || !existsSync(home)) return []
  const projects = join(config, 'projects')
  // Workspaces of attempts, and the folder of the agent as judge.
  const ours = new RegExp(`^${nameFor(realpathSync(home))}-(.+-a\\d+|check-out-judge)-tree$`)
  const keptNames = new Set(kept.map((folder) => nameFor(existsSync(folder) ? realpathSync(folder) : folder)))
  const names = await namesIn(projects)
  return names
    .filter((name) => ours.test(name) && !keptNames.has(name))
    .map((name) => ({ path: join(projects, name), remove: () => removeRecords(config, name) }))
}

/**
 * Removes the record of a session without any message; false when there is none.
 *
 * An agent that was killed just after its start leaves such a record, and then can neither resume nor create the session.
 */
export async function removeEmptySession(environment: RecordSearch['environment'], session: string): Promise<boolean> {
  const record = await sessionRecord(environment, session)
  if (record === null || !isEmptyRecord(await readFile(record, 'utf8'))) return false
  await rm(record, { force: true })
  return true
}

/**
 * Reads the model calls of a session's main loop from its record, in order.
 *
 * When the agent or the engine dies during a round, some of its calls were not reported.
 */
export async function recordedCalls(
  environment: RecordSearch['environment'],
  session: string,
): Promise<readonly ModelCall[]> {
  const record = await sessionRecord(environment, session)
  // Without a readable record, only the usage of the last moment is lost.
  const text = record === null ? '' : await readFile(record, 'utf8').catch(() => '')
  const calls = new Map<string, ModelCall>()
  for (const line of text.split('\n')) {
    const call = callIn(line)
    if (call !== null) calls.set(call.message, call)
  }
  return [...calls.values()]
}

const count = z.number().nullable().default(null)
const recordedAnswer = z.object({
  type: z.literal('assistant'),
  isSidechain: z.literal(false),
  // Errors that Claude Code presents as answers have no message id of the API.
  message: z.object({
    id: z.string().startsWith('msg_'),
    model: z.string(),
    usage: z.object({
      input_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
      output_tokens: count,
      cache_creation: z.object({ ephemeral_1h_input_tokens: count }).nullable().default(null),
    }),
  }),
})

function callIn(line: string): ModelCall | null {
  if (!line.includes('"type":"assistant"')) return null
  const { data } = recordedAnswer.safeParse(parseLine(line))
  if (data === undefined) return null
  const { id, model, usage } = data.message
  return { message: id, model, scope: 'main', ...usageOf(usage) }
}

// The last line may be incomplete.
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** Returns the agent's record of a session, or null. */
async function sessionRecord(environment: RecordSearch['environment'], session: string): Promise<string | null> {
  const projects = join(configFolder(environment) ?? '', 'projects')
  const records = (await namesIn(projects)).map((name) => join(projects, name, `${session}.jsonl`))
  return records.find((file) => existsSync(file)) ?? null
}

// Before the first prompt, a record has only queue operations; an unfinished last line was being written.
function isEmptyRecord(record: string): boolean {
  return record
    .split('\n')
    .slice(0, -1)
    .every((line) => line.startsWith('{"type":"queue-operation"'))
}

/** Returns Claude Code's configuration folder, or null without a home folder. */
function configFolder({ CLAUDE_CONFIG_DIR: config, HOME: home }: RecordSearch['environment']): string | null {
  return config || (home ? join(home, '.claude') : null)
}

/** Returns Claude Code's folder name for the records of a project folder. */
function nameFor(folder: string): string {
  return folder.replaceAll(/[^A-Za-z0-9]/g, '-')
}

// Folders with more files of each session.
const BY_SESSION = ['session-env', 'file-history']

async function removeRecords(config: string, name: string): Promise<void> {
  const folder = join(config, 'projects', name)
  const sessions = (await namesIn(folder)).flatMap((file) => /^([0-9a-f-]{36})\.jsonl$/.exec(file)?.[1] ?? [])
  const beside = sessions.flatMap((session) => BY_SESSION.map((kind) => join(config, kind, session)))
  for (const path of [...beside, folder]) await rm(path, { recursive: true, force: true })
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => [])
}
