import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { recordOf, type Search } from './records.ts'
import { type Call, usedIn } from './usage-count.ts'

/**
 * The model calls of a session's main loop that its agent has put on record, in their order.
 *
 * Whoever dies in the middle of a round, agent or engine, has not heard or told of all of them.
 */
export async function recordedCalls(environment: Search['environment'], session: string): Promise<readonly Call[]> {
  const record = await recordOf(environment, session)
  // A record that is gone or cannot be read costs the figures of a last moment, never the round.
  const text = record === null ? '' : await readFile(record, 'utf8').catch(() => '')
  const calls = new Map<string, Call>()
  for (const line of text.split('\n')) {
    const call = callIn(line)
    if (call !== null) calls.set(call.message, call)
  }
  return [...calls.values()]
}

const count = z.number().nullable().default(null)
const answer = z.object({
  type: z.literal('assistant'),
  isSidechain: z.literal(false),
  // Errors that the agent tells in the words of a model have no id of the service's.
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

function callIn(line: string): Call | null {
  if (!line.includes('"type":"assistant"')) return null
  const { data } = answer.safeParse(parsed(line))
  if (data === undefined) return null
  const { id, model, usage } = data.message
  return { message: id, model, scope: 'main', ...usedIn(usage) }
}

/** The last line may have been cut off. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
