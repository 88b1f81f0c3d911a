import { existsSync, realpathSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentRecords } from '../../../ports/repository.ts'

/** Where to look, and what for. */
export interface Search {
  /** The environment of agents. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Whose workspaces are meant. */
  readonly home: string
  /** The workspaces that are still there. */
  readonly kept: readonly string[]
}

/** Picks the variables that decide where Claude Code keeps its files. */
export function agentHomes(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name === 'HOME' || name === 'CLAUDE_CONFIG_DIR'))
}

/** The records of workspaces that are gone; whatever else the agent keeps is the user's. */
export async function recordsOfGone({ environment, home, kept }: Search): Promise<readonly AgentRecords[]> {
  const config = configFolder(environment)
  if (config === null || !existsSync(home)) return []
  const projects = join(config, 'projects')
  // Of attempts, and of the agent that was asked as a judge.
  const ours = new RegExp(`^${nameFor(realpathSync(home))}-(.+-a\\d+|check-out-judge)-tree$`)
  const keptNames = new Set(kept.map((folder) => nameFor(existsSync(folder) ? realpathSync(folder) : folder)))
  const names = await namesIn(projects)
  return names
    .filter((name) => ours.test(name) && !keptNames.has(name))
    .map((name) => ({ path: join(projects, name), remove: () => removeRecords(config, name) }))
}

/**
 * Removes the record of a session in which nobody has said anything yet; whether there was one.
 *
 * Killed just after its start the agent leaves such a record, and then neither continues the session nor makes it again.
 */
export async function forgetUnbegun(environment: Search['environment'], session: string): Promise<boolean> {
  const record = await recordOf(environment, session)
  if (record === null || !isUnbegun(await readFile(record, 'utf8'))) return false
  await rm(record, { force: true })
  return true
}

/** The agent's own record of a session; null: it has none. */
export async function recordOf(environment: Search['environment'], session: string): Promise<string | null> {
  const projects = join(configFolder(environment) ?? '', 'projects')
  const records = (await namesIn(projects)).map((name) => join(projects, name, `${session}.jsonl`))
  return records.find((file) => existsSync(file)) ?? null
}

// What the agent keeps before the first prompt; a last line without its end was being written.
function isUnbegun(record: string): boolean {
  return record
    .split('\n')
    .slice(0, -1)
    .every((line) => line.startsWith('{"type":"queue-operation"'))
}

/** Where Claude Code keeps everything, as it decides itself; null: it has no home. */
function configFolder({ CLAUDE_CONFIG_DIR: config, HOME: home }: Search['environment']): string | null {
  return config || (home ? join(home, '.claude') : null)
}

/** The name under which Claude Code keeps what belongs to a folder. */
function nameFor(folder: string): string {
  return folder.replaceAll(/[^A-Za-z0-9]/g, '-')
}

// By session, beside the folder that holds the sessions themselves.
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
