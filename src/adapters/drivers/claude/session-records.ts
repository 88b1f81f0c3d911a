import { existsSync, realpathSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readPlainFile } from '../../../files/read-plain-file.ts'
import { type ModelCall, usageOf } from './usage-counter.ts'

/** Session of an agent, and the agent's configuration folder, in which it keeps the record. */
export interface RecordedSession {
  readonly config: string
  readonly session: string
}

/** Reads the record of a session; null when there is none, or something else in its place. */
export async function readRecord(of: RecordedSession): Promise<string | null> {
  return (await findRecord(of))?.text ?? null
}

/**
 * Removes the record of a session without any message; false when there is none.
 *
 * An agent that was killed just after its start leaves such a record, and then can neither resume nor create the session.
 */
export async function removeEmptySession(of: RecordedSession): Promise<boolean> {
  const record = await findRecord(of)
  if (record === null || !isEmptyRecord(record.text)) return false
  await rm(record.file, { force: true })
  return true
}

/**
 * Reads the model calls of a session's main loop from its record, in order.
 *
 * When the agent or the engine dies during a round, some of its calls were not reported.
 */
export async function recordedCalls(of: RecordedSession): Promise<readonly ModelCall[]> {
  // Without a readable record, only the usage of the last moment is lost.
  const text = (await readRecord(of)) ?? ''
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

/** Finds the record of a session; an agent can put anything there, so no link is followed. */
async function findRecord({ config, session }: RecordedSession): Promise<{ file: string; text: string } | null> {
  if (!existsSync(config)) return null
  const projects = join(realpathSync(config), 'projects')
  for (const name of await readdir(projects).catch(() => [])) {
    const file = join(projects, name, `${session}.jsonl`)
    const text = isReal(file) ? readPlainFile(file, RECORD_BYTES_MAX) : null
    if (text !== null) return { file, text }
  }
  return null
}

// Far more than a full context window, with its pictures.
const RECORD_BYTES_MAX = 64 * 1024 * 1024

/** True when no part of a path is a link. */
function isReal(path: string): boolean {
  try {
    return realpathSync(path) === path
  } catch {
    return false // not there
  }
}

// Before the first prompt, a record has only queue operations; an unfinished last line was being written.
function isEmptyRecord(record: string): boolean {
  return record
    .split('\n')
    .slice(0, -1)
    .every((line) => line.startsWith('{"type":"queue-operation"'))
}
