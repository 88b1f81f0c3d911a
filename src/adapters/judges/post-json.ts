import type { JudgeSettings } from '../../core/model/settings.ts'
import { calledOff, refusedBy, unreachable, unreadable } from './judge-problems.ts'

/** What is sent, and where to. */
export interface Post {
  readonly judge: JudgeSettings
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

const ANSWER_BYTES_MAX = 256 * 1024
const WHY_LENGTH_MAX = 300

/** Sends a question and reads a JSON answer, of which no more is taken in than an opinion can need. */
export async function postJson({ judge, path, headers, body }: Post, signal: AbortSignal): Promise<unknown> {
  try {
    const address = `${judge.url?.replace(/\/+$/, '')}${path}`
    const options = { method: 'POST', headers, body: JSON.stringify(body), redirect: 'error', signal } as const
    const response = await fetch(address, options)
    const text = await boundedText(response)
    if (!response.ok) return refusedBy(judge, response.status, whyIn(text ?? ''))
    return text === null ? unreadable(judge, 'its answer does not end') : parsed(judge, text)
  } catch (cause) {
    return signal.aborted ? calledOff() : unreachable(judge, reasonOf(cause), cause)
  }
}

function parsed(judge: JudgeSettings, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What is not JSON is told by its beginning; the parser's own words help nobody.
    return unreadable(judge, `it is no answer of this API, and begins with "${whyIn(text)}"`)
  }
}

/** The text of an answer; null: there is more than we read. */
async function boundedText(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > ANSWER_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function whyIn(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, WHY_LENGTH_MAX)
}

/** Fetch hides the reason behind "fetch failed". */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const { code, message } = inner as { readonly code?: unknown; readonly message?: unknown }
  return [code, message].find((text) => typeof text === 'string' && text !== '')?.toString() ?? String(cause)
}
